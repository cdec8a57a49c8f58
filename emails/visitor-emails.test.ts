import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { harmlessModel } from '#domain/customers/vehicle-details.ts'
import {
  type BookingRecord,
  writeBookingConfirmation,
} from '#emails/bookings/booking-confirmation.ts'
import {
  type QuoteRequestRecord,
  writeQuoteConfirmation,
} from '#emails/quotes/quote-confirmation.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

// The tests compare emails with calendar files, which contain the time of writing, so these tests use a fixed clock.
vi.useFakeTimers({ now: new Date('2026-11-20T18:00:00Z'), toFake: ['Date'] })
afterAll(() => vi.useRealTimers())

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
  vehicleModel: null,
  vehicleColor: null,
  customerPhone: null,
  hasNotes: true,
  flaggedReasons: [],
  heldUntil: null,
  calendarSequence: 0,
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

type FormInput = { name: string; year: string; make: string; text: string }

/** Writes the confirmations of a booking and of a quote request whose forms contain the visitor's text. */
function emailsTo(
  { name, year, make, text }: FormInput,
  flaggedReasons: string[] = [],
): ShopEmail[] {
  const vehicle = { vehicleYear: year, vehicleMake: make, vehicleModel: text, vehicleColor: text }
  // Includes fields of the stored booking and quote request that the emails do not use.
  const more = { ...vehicle, flaggedReasons, notes: text, customerPhone: text, phone: text }
  return [
    writeBookingConfirmation(
      defaultShop,
      { ...booking, ...more, customerName: name },
      'https://torqueandtiming.example/visit/token',
    ),
    writeQuoteConfirmation(defaultShop, { ...request, ...more, name, description: text }),
  ]
}

/** Returns all text of an email that its recipient can see. */
function readable({ to, subject, html, text, attachments }: ShopEmail): string {
  const files = attachments.map(
    ({ filename, content }) => filename + new TextDecoder().decode(content),
  )
  return [to.name, subject, html, text, ...files].join('\n')
}

const linesOf = (text: string) => text.split(/\r?\n/)
const empty = emailsTo({ name: '', year: '', make: '', text: '' }).map(readable)

/**
 * Returns the text that the visitor's input adds to an email: the difference to the same email without input. HTML
 * entities are decoded.
 */
function extraText(email: ShopEmail, index: number): string {
  const baseline = new Set(linesOf(empty[index] ?? ''))
  const own = linesOf(readable(email)).filter((line) => !baseline.has(line))
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

/** Removes the allowed parts of an email's text: the shop's own labels, the vehicle model and phone numbers. */
function withoutDetails(content: string, { text }: FormInput): string {
  const model = harmlessModel(text)
  const own = content
    .replaceAll(/^(?:Vehicle|Phone|Your note): /gm, '')
    .replaceAll(/\(\d{3}\) \d{3}-\d{4}/g, '')
  return model === '' ? own : own.replaceAll(model, '')
}

/** Messages that an abuser could try to send to others in the shop's name. */
const messages = [
  'win7.com',
  'www.win7.example',
  'https://evil.example',
  'evil.example/prize',
  'Go to evil.example now',
  'hxxp://evil.example',
  'evil[.]example',
  'evil dot example slash win',
  'mail me@evil.example',
  'me (at) evil.example',
  'You won $1,000,000!',
  'Your account is locked, log in',
  'Send $500 today',
  'Pay 500 USD to unlock this',
  'Wire the money to this account',
  'Bitcoin: 1BoatSLRHtKNngkdXEeobR76b53',
  'Call 1-900-555-0199',
  'Call +44 20 7946 0958 now',
  'Text WIN to 55501',
  '9005550199 call now please',
  '900 555 0199 ext 7',
  'Your package is waiting at the depot',
  'Final notice: you owe us money',
  'Verify your identity!',
  'Click here: win',
  'CLICK <b>HERE</b>',
  '<a href="https://evil.example">win</a>',
  '<img src=x onerror=alert(1)>',
  'Blue; click evil.example',
  'Red, and you owe us $200',
  'Outback (call 900-555-0199)',
  'Outback: see evil.example',
  'Outback - pay at evil.example',
  'Model S. Pay now at once',
  'Vote for me on Tuesday morning',
  'I know what you did last summer',
  'Meet me at the bar at nine',
  'You are fired, do not come back',
  'Refund of $89 ready: reply',
  'Reply STOP to stop this!',
  'gift_card_500_usd',
  'Free*iPhone*today',
  'Free iPhone 17 for you today',
  'Пароль истёк, войдите',
  '您的帐户已被锁定',
  'évil․example',
  'win7。com',
  'ｗｉｎ７．ｃｏｍ',
  'Outback\u202emoc.7niw',
  'A model name that is far too long to be one',
]

const linkLike =
  /[:/@\\<>\d]|[\p{L}\p{N}][.․。．｡ꞏ·\u00ad]\s*[\p{L}\p{N}]|\bwww\b|\b(?:com|net|dot)\b/u

describe('emails that an unverified visitor can cause', () => {
  it('repeat a plausible given name, the model year, and a known vehicle make in the shop’s own spelling', () => {
    const emails = emailsTo({ name: 'Dana Whitfield', year: '2019', make: 'subaru', text: '' })
    for (const email of emails) {
      expect(email.to.name).toBe('Dana')
      expect(email.text).toContain('Hello Dana,\n')
      expect(email.text).toContain('Vehicle: 2019 Subaru\n')
    }
  })

  it('repeat the model, color and phone number of a booking if these texts have a format that cannot contain a message', () => {
    const input = { vehicleYear: '2019', vehicleMake: 'subaru' }
    const { text } = writeBookingConfirmation(
      defaultShop,
      {
        ...booking,
        ...input,
        vehicleModel: 'Outback',
        vehicleColor: 'Dark Blue',
        customerPhone: '650.555.0142',
      },
      'https://torqueandtiming.example/visit/token',
    )
    expect(text).toContain('Vehicle: 2019 Subaru Outback, dark blue\n')
    expect(text).toContain('Phone: (650) 555-0142\n')
    expect(text).toContain('Your note: see your appointment page\n')
  })

  it.each(messages)(
    'do not repeat the text %j that a visitor entered as model, color, phone or note',
    (message) => {
      const [email] = emailsTo({ name: '', year: '2019', make: 'Subaru', text: message })
      if (!email) throw new Error('There is no confirmation')
      expect(email.text).toContain('Vehicle: 2019 Subaru, see your appointment page\n')
      expect(email.text).toContain('Phone: see your appointment page\n')
      expect(email.text).toContain('Your note: see your appointment page\n')
      expect(readable(email).toLowerCase()).not.toContain(message.toLowerCase())
    },
  )

  it('contain no link, phone number or email address from the visitor, whatever text the visitor entered', () => {
    const input = fc.record({ name: hostile, year: hostile, make: hostile, text: hostile })
    fc.assert(
      fc.property(input, (input) => {
        for (const [index, email] of emailsTo(input).entries()) {
          expect(withoutDetails(extraText(email, index), input)).not.toMatch(linkLike)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('repeat no text from a form that a bot seems to have submitted', () => {
    const input = { name: 'Dana Whitfield', year: '2019', make: 'Subaru', text: 'It squeaks.' }
    const nothing = { name: '', year: '', make: '', text: '' }
    const flagged = ['sent_too_fast']
    expect(emailsTo(input, flagged).map(readable)).toEqual(emailsTo(nothing, flagged).map(readable))
  })
})
