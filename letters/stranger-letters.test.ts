import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { standardShop } from '#domain/standard-shop.ts'
import { type BookingRecord, writeBookingConfirmation } from './booking-confirmation.ts'
import { type QuoteRequestRecord, writeQuoteConfirmation } from './quote-confirmation.ts'
import type { ShopEmail } from './shop-email.ts'

const booking: BookingRecord = {
  id: '0b5c0000-0000-4000-8000-000000000001',
  serviceName: 'Brake Job',
  date: '2026-11-28',
  time: '13:30:00',
  durationMinutes: 90,
  customerName: '',
  customerEmail: 'dana@example.com',
  vehicleYear: null,
  vehicleMake: null,
  flaggedReasons: [],
  heldUntil: null,
  calendarSequence: 0,
  createdAt: '2026-11-20T18:00:00Z',
}

const request: QuoteRequestRecord = {
  id: '0b5c0000-0000-4000-8000-000000000002',
  name: '',
  email: 'dana@example.com',
  vehicleYear: '',
  vehicleMake: '',
  serviceType: 'brake-service',
  description: '',
  flaggedReasons: [],
}

type Typed = { name: string; year: string; make: string; text: string }

/** Both letters with what a stranger typed, as rows hold it. */
function lettersTo({ name, year, make, text }: Typed, flaggedReasons: string[] = []): ShopEmail[] {
  const vehicle = { vehicleYear: year, vehicleMake: make, vehicleModel: text, vehicleColor: text }
  // Rows have more columns than letters read.
  const more = { ...vehicle, flaggedReasons, notes: text, customerPhone: text, phone: text }
  return [
    writeBookingConfirmation(standardShop, { ...booking, ...more, customerName: name }),
    writeQuoteConfirmation(standardShop, { ...request, ...more, name, description: text }),
  ]
}

/** Everything of a letter that its reader may see. */
function readable({ to, subject, html, text, attachments }: ShopEmail): string {
  const files = attachments.map(
    ({ filename, content }) => filename + new TextDecoder().decode(content),
  )
  return [to.name, subject, html, text, ...files].join('\n')
}

const linesOf = (text: string) => text.split(/\r?\n/)
const empty = lettersTo({ name: '', year: '', make: '', text: '' }).map(readable)

/** What a letter says beyond the same letter about nothing that was typed, as HTML is read. */
function saidBeyond(letter: ShopEmail, index: number): string {
  const known = new Set(linesOf(empty[index] ?? ''))
  const own = linesOf(readable(letter)).filter((line) => !known.has(line))
  return own
    .join('\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
}

const hostile = fc.oneof(
  fc.webUrl(),
  fc.emailAddress(),
  fc.domain().map((domain) => `Your prize waits at ${domain}`),
  fc
    .tuple(
      fc.domain(),
      fc.constantFrom('․', '。', '．', '｡', '\u00ad.', ' . ', 'ꞏ', '[.]', ' dot '),
    )
    .map(([domain, dot]) => domain.replaceAll('.', dot)),
  fc.constantFrom(
    'https://evil.example/win',
    'hxxp://evil.example',
    'win7.com',
    'xn--80ak6aa92e.com',
    'пример.рф',
    'Call 1-900-555-0199 now',
    'tel:19005550199',
    '2019 win7.com',
    'Subaru win7.com',
    'Dana\r\nBcc: victim@example.net',
    'Dana <a href="https://evil.example">win</a>',
    'Dana\u202emoc.7niw',
    "D'Arcy",
  ),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

const linkLike =
  /[:/@\\<>\d]|[\p{L}\p{N}][.․。．｡ꞏ·\u00ad]\s*[\p{L}\p{N}]|\bwww\b|\b(?:com|net|dot)\b/u

describe('letters that a stranger can cause', () => {
  it('say nothing that was typed but a given name and a vehicle in our own spelling', () => {
    const letters = lettersTo({ name: 'Dana Whitfield', year: '2019', make: 'subaru', text: 'x' })
    for (const letter of letters) {
      expect(letter.to.name).toBe('Dana')
      expect(letter.text).toContain('Hello Dana,\n')
      expect(letter.text).toContain('Vehicle: 2019 Subaru\n')
    }
  })

  it('carry no link, number or address, whatever is typed', () => {
    const typed = fc.record({ name: hostile, year: hostile, make: hostile, text: hostile })
    fc.assert(
      fc.property(typed, (words) => {
        for (const [index, letter] of lettersTo(words).entries()) {
          expect(saidBeyond(letter, index)).not.toMatch(linkLike)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('carry nothing at all for a form that looks automated', () => {
    const words = { name: 'Dana Whitfield', year: '2019', make: 'Subaru', text: 'It squeaks.' }
    expect(lettersTo(words, ['sent_too_fast']).map(readable)).toEqual(empty)
  })
})
