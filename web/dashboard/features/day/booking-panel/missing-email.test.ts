import { describe, expect, it } from 'vitest'
import type { EmailDelivery } from '#contracts/emails/email-delivery.ts'
import { isEmailMissing, isNotificationUnderWay, missingNotification } from './missing-email.ts'

const now = '2026-11-24T12:40:00'
const email = (overrides: Partial<EmailDelivery>): EmailDelivery => ({
  id: 'one',
  kind: 'booking_confirmation',
  status: 'sent',
  attempts: 1,
  next_attempt_at: '2026-11-24T20:00:00Z',
  last_error: null,
  created_at: '2026-11-24T20:00:00Z',
  sent_at: null,
  ...overrides,
})
const cancellation = email({ kind: 'booking_cancelled', created_at: '2026-11-24T20:30:00Z' })
const missing = (state: string, emails: EmailDelivery[], change = {}) =>
  missingNotification(
    { state, starts_at: '2026-11-24T13:00:00', customer_email: 'm@customer.example', ...change },
    now,
    emails,
  )

describe('the notification of a customer with an email address', () => {
  it('is missing until the server has sent a confirmation email', () => {
    expect(missing('confirmed', [])).toBe('booked')
    expect(missing('confirmed', [email({})])).toBeUndefined()
  })

  it('is missing after staff cancel or reopen the appointment, until an email about the change is sent', () => {
    expect(missing('cancelled', [email({})])).toBe('cancelled')
    expect(missing('cancelled', [email({}), cancellation])).toBeUndefined()
    expect(missing('confirmed', [email({}), cancellation])).toBe('booked')
  })

  it('is missing even if the server has sent an email about an estimate', () => {
    const estimate = email({ kind: 'estimate', created_at: '2026-11-24T20:45:00Z' })
    expect(missing('confirmed', [estimate])).toBe('booked')
    expect(missing('cancelled', [email({}), cancellation, estimate])).toBeUndefined()
    expect(missing('confirmed', [email({}), cancellation, estimate])).toBe('booked')
  })

  it('is pending while an email about the appointment is queued, but not while only an estimate email is queued', () => {
    const queued = { status: 'queued' } as const
    expect(isNotificationUnderWay([email({ kind: 'booking_moved', ...queued })])).toBe(true)
    expect(isNotificationUnderWay([email({ kind: 'estimate', ...queued })])).toBe(false)
  })

  it('is missing after a second cancellation if the email about the first one was discarded', () => {
    const outdated = {
      ...cancellation,
      status: 'failed' as const,
      last_error: 'Not sent: the appointment stands again.',
    }
    expect(missing('confirmed', [email({}), outdated])).toBeUndefined()
    expect(missing('cancelled', [email({}), outdated])).toBe('cancelled')
    expect(isEmailMissing(outdated)).toBe(false)
    expect(isEmailMissing({ ...outdated, last_error: 'The mailbox is full.' })).toBe(true)
  })
})

it('no notification is missing for a past or completed booking, or for a customer without an email address', () => {
  expect(missing('confirmed', [], { starts_at: '2026-11-24T12:00:00' })).toBeUndefined()
  expect(missing('completed', [])).toBeUndefined()
  expect(missing('confirmed', [], { customer_email: null })).toBeUndefined()
})
