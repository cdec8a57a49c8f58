import type { EmailKind } from '#contracts/emails/emails.ts'

/** The rules that apply to all emails of one kind. */
type EmailRules = {
  /**
   * The recipient of the email, and the shop's action after a failed delivery. customer: the shop emails the owner a
   * request to call the customer. owner: the shop notifies nobody. whom-the-admin-writes-to: the shop notifies nobody,
   * because the employee who wrote the email sees its status; the email has no header 'Auto-Submitted', so that the
   * recipient's mailbox may reply automatically.
   */
  readonly goesTo: 'customer' | 'owner' | 'whom-the-admin-writes-to'
  /**
   * Whether the server repeats a failed delivery attempt later; otherwise the client that requested the email gets
   * the error.
   */
  readonly isRetried: boolean
  /**
   * Whether an unverified visitor can cause the email by a form or a link. Such emails count toward the limits of
   * docs/decisions/0014-emails-visitors-can-trigger.md.
   */
  readonly isConfirmation: boolean
  /**
   * The record whose state must still agree with the email when the email is sent: a held (unconfirmed) booking must
   * still be on hold, a sent revision must still be the latest revision.
   */
  readonly agreesWith:
    | 'booking'
    | 'held_booking'
    | 'cancelled_booking'
    | 'sent_revision'
    | 'nothing'
  /** Whether the shop may send the email between 9 PM and 8 AM, shop time; false for emails that nobody requested. */
  readonly isSentAtNight: boolean
}

/**
 * Every kind of email with its rules. `internal.email_kinds` in the database has the same rules except the recipient
 * (`goesTo`), and a test compares the two tables.
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
  booking_handed_over: {
    goesTo: 'customer',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
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
  payment_request: {
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
  invoice_correction: {
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
  invitation: {
    goesTo: 'whom-the-admin-writes-to',
    isRetried: true,
    isConfirmation: false,
    agreesWith: 'nothing',
    isSentAtNight: true,
  },
} as const satisfies Record<EmailKind, EmailRules>

/** The kinds of emails that a visitor can cause. The types prevent queueing any other kind for a visitor. */
export type ConfirmationKind = {
  [Kind in EmailKind]: (typeof emailKinds)[Kind]['isConfirmation'] extends true ? Kind : never
}[EmailKind]
