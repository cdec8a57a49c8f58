import type { EmailKind } from '#contracts/emails/emails.ts'

/** The rules for all emails of a kind. */
type EmailRules = {
  /**
   * customer: when delivery fails, the owner is asked to call the customer. owner: a failure is reported to nobody
   * else. whom-the-admin-writes-to: an employee wrote the email, sees its status, and may receive an automatic reply.
   */
  readonly goesTo: 'customer' | 'owner' | 'whom-the-admin-writes-to'
  /** Whether a failed attempt is repeated later; else the sender of the request sees the error. */
  readonly isRetried: boolean
  /**
   * Whether a form or a link of an unverified visitor can cause it, so that it counts toward the limits (decision 14).
   */
  readonly isConfirmation: boolean
  /**
   * The record whose state must still match the email when it is sent: a held booking must still be on hold, a sent
   * revision must still be the latest.
   */
  readonly agreesWith:
    | 'booking'
    | 'held_booking'
    | 'cancelled_booking'
    | 'sent_revision'
    | 'nothing'
  /** Whether it may be sent between 9 PM and 8 AM, shop time. Emails that nobody requested may not. */
  readonly isSentAtNight: boolean
}

/**
 * Every kind of email. `internal.email_kinds` in the database has the same rules, except `goesTo`; a test compares
 * both.
 */
export const emailKinds = {
  booking_confirmation: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'booking',
    isSentAtNight: true,
  },
  confirmation_request: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'held_booking',
    isSentAtNight: true,
  },
  booking_moved: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'booking',
    isSentAtNight: true,
  },
  booking_cancelled: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'cancelled_booking',
    isSentAtNight: true,
  },
  booking_reminder: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'booking',
    isSentAtNight: false,
  },
  address_question: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'booking',
    isSentAtNight: false,
  },
  visit_links: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  quote_confirmation: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: true,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  quote_reply: {
    goesTo: 'whom-the-admin-writes-to',
    isRetried: false,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  estimate: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'sent_revision',
    isSentAtNight: true,
  },
  estimate_approved: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  invoice: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  payment_receipt: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  owner_notice: {
    goesTo: 'owner',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
  test_message: {
    goesTo: 'whom-the-admin-writes-to',
    isRetried: false,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
} as const satisfies Record<EmailKind, EmailRules>

/** The kinds that a visitor can cause; other kinds cannot be queued for a visitor. */
export type ConfirmationKind = {
  [Kind in EmailKind]: (typeof emailKinds)[Kind]['isConfirmation'] extends true ? Kind : never
}[EmailKind]
