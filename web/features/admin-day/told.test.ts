import { describe, expect, it } from 'vitest'
import type { EmailDelivery } from '#contracts/email-delivery.ts'
import { isEmailMissing, isNotificationUnderWay, missingNotification } from './told.ts'

const now = '2026-11-24T12:40:00'
const letter = (told: Partial<EmailDelivery>): EmailDelivery => ({
  id: 'one',
  kind: 'booking_confirmation',
  status: 'sent',
  attempts: 1,
  next_attempt_at: '2026-11-24T20:00:00Z',
  last_error: null,
  created_at: '2026-11-24T20:00:00Z',
  sent_at: null,
  ...told,
})
const cancellation = letter({ kind: 'booking_cancelled', created_at: '2026-11-24T20:30:00Z' })
const untold = (state: string, emails: EmailDelivery[], change = {}) =>
  missingNotification(
    { state, starts_at: '2026-11-24T13:00:00', customer_email: 'm@customer.example', ...change },
    now,
    emails,
  )

describe('a customer with an address', () => {
  it('has not heard of a booking without a letter', () => {
    expect(untold('confirmed', [])).toBe('booked')
    expect(untold('confirmed', [letter({})])).toBeUndefined()
  })

  it('has not heard of a cancellation, or that it was taken back, until a letter says so', () => {
    expect(untold('cancelled', [letter({})])).toBe('cancelled')
    expect(untold('cancelled', [letter({}), cancellation])).toBeUndefined()
    expect(untold('confirmed', [letter({}), cancellation])).toBe('booked')
  })

  it('hears nothing of the appointment from the email of an estimate or an answer to it', () => {
    const estimate = letter({ kind: 'estimate', created_at: '2026-11-24T20:45:00Z' })
    expect(untold('confirmed', [estimate])).toBe('booked')
    expect(untold('cancelled', [letter({}), cancellation, estimate])).toBeUndefined()
    expect(untold('confirmed', [letter({}), cancellation, estimate])).toBe('booked')
  })

  it('is about to be notified by an email about the appointment, not by one about an estimate', () => {
    const queued = { status: 'queued' } as const
    expect(isNotificationUnderWay([letter({ kind: 'booking_moved', ...queued })])).toBe(true)
    expect(isNotificationUnderWay([letter({ kind: 'estimate', ...queued })])).toBe(false)
  })

  it('has not heard what did not leave because it was true no longer', () => {
    const outdated = {
      ...cancellation,
      status: 'failed' as const,
      last_error: 'Not sent: the appointment stands again.',
    }
    expect(untold('confirmed', [letter({}), outdated])).toBeUndefined()
    expect(untold('cancelled', [letter({}), outdated])).toBe('cancelled')
    expect(isEmailMissing(outdated)).toBe(false)
    expect(isEmailMissing({ ...outdated, last_error: 'The mailbox is full.' })).toBe(true)
  })
})

it('Nobody is told of what is over, or without an address', () => {
  expect(untold('confirmed', [], { starts_at: '2026-11-24T12:00:00' })).toBeUndefined()
  expect(untold('completed', [])).toBeUndefined()
  expect(untold('confirmed', [], { customer_email: null })).toBeUndefined()
})
