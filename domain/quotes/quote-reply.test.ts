import { describe, expect, test } from 'vitest'
import {
  type RepliedQuote,
  changeReply,
  regenerateDraft,
  hasUnsavedReply,
  isEditedByHand,
  isSendable,
  startReply,
} from './quote-reply.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'

const quote: RepliedQuote = {
  name: ' Iris Kwan',
  vehicle_year: '2015',
  vehicle_make: 'Honda',
  vehicle_model: 'Accord',
  service_type: 'transmission',
}

const parties = { quote, shop: defaultShop }

describe('a reply to a quote request', () => {
  test('starts with the specified default subject', () => {
    expect(startReply(parties).subject).toBe('Quote for Transmission Service - 2015 Honda Accord')
    expect(startReply({ ...parties, quote: { ...quote, service_type: null } }).subject).toBe(
      'Quote for Service - 2015 Honda Accord',
    )
  })

  test('greets the customer by first name and states the vehicle, the price and the notes', () => {
    const reply = changeReply(parties, startReply(parties), {
      price: '$240 – $310',
      notes: 'Fluid and filter first, then a road test.',
    })
    expect(reply.body).toBe(
      [
        'Hi Iris,',
        'Thank you for writing to Torque & Timing about your 2015 Honda Accord.',
        'Estimated price: $240 – $310',
        'Fluid and filter first, then a road test.',
        'Torque & Timing, (650) 555-0142',
      ].join('\n\n'),
    )
  })

  test('has a greeting without a name when the customer’s name is not plausible', () => {
    const [greeting] = startReply({
      ...parties,
      quote: { ...quote, name: 'Prizes at win7.com' },
    }).body.split('\n')
    expect(greeting).toBe('Hello,')
  })

  test('omits the price and the notes when they are blank', () => {
    const reply = changeReply(parties, startReply(parties), { price: '  ', notes: '\n' })
    expect(reply.body).toBe(startReply(parties).body)
    expect(reply.body).not.toContain('Estimated price')
  })

  test.each([
    ['240', '$240'],
    ['1,240.50', '$1,240.50'],
    ['240-310', '$240 – $310'],
    ['240 – 310', '$240 – $310'],
    ['about 300', 'about 300'],
    ['€ 300', '€ 300'],
    ['$99', '$99'],
    ['1-2-3', '1-2-3'],
  ])('states the entered price %j as %j', (input, written) => {
    const { body } = changeReply(parties, startReply(parties), { price: input })
    expect(body.split('\n')).toContain(`Estimated price: ${written}`)
  })

  test('updates its text with the entered price and notes until the employee edits the text', () => {
    let reply = changeReply(parties, startReply(parties), { price: '240' })
    expect(isEditedByHand(reply)).toBe(false)
    reply = changeReply(parties, reply, { body: 'My own words.' })
    reply = changeReply(parties, reply, { price: '310', notes: 'Ask for Ana.' })
    expect(reply.body).toBe('My own words.')
    expect(reply.draft).toContain('$240')
    expect(isEditedByHand(reply)).toBe(true)
  })

  test('regenerateDraft replaces an edited text by the generated text and keeps the subject', () => {
    let reply = changeReply(parties, startReply(parties), { subject: 'Your Accord', body: 'Mine.' })
    reply = regenerateDraft(parties, changeReply(parties, reply, { price: '310' }))
    expect(reply.body).toContain('Estimated price: $310')
    expect(reply.subject).toBe('Your Accord')
    expect(isEditedByHand(reply)).toBe(false)
  })

  test('updates its text with the entered price and notes again after the employee has undone the edit', () => {
    const fresh = startReply(parties)
    const undone = changeReply(parties, changeReply(parties, fresh, { body: 'x' }), {
      body: fresh.body,
    })
    expect(changeReply(parties, undone, { price: '99' }).body).toContain('$99')
  })

  test('can be sent only when its subject and its text are filled in', () => {
    const reply = startReply(parties)
    expect(isSendable(reply)).toBe(true)
    expect(isSendable({ ...reply, subject: '  ' })).toBe(false)
    expect(isSendable({ ...reply, body: '\n ' })).toBe(false)
  })

  test('has unsaved input as soon as a field differs from the initial reply', () => {
    const fresh = startReply(parties)
    expect(hasUnsavedReply(parties, fresh)).toBe(false)
    for (const change of [{ subject: '' }, { price: '1' }, { notes: 'x' }, { body: 'x' }]) {
      expect(hasUnsavedReply(parties, changeReply(parties, fresh, change))).toBe(true)
    }
  })
})
