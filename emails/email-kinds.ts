import type { EmailKind } from '#contracts/emails/emails.ts'

/** What holds for every message of a kind. */
type EmailRules = {
  /**
   * customer: when it cannot be delivered, the owner is asked to call. owner: there is nobody else to tell.
   * whom-the-admin-writes-to: a person wrote it, sees whether it left, and may get an absence note back.
   */
  readonly goesTo: 'customer' | 'owner' | 'whom-the-admin-writes-to'
  /** Tried again later when it was not taken; else whoever sends it is told at once. */
  readonly isRetried: boolean
  /** Anybody may have caused it in anybody's name, by a form or a link: counted by the caps (decision 14). */
  readonly isConfirmation: boolean
  /** What has to be as the message says when it leaves; a booking that is held waits to be confirmed, an offer to be answered. */
  readonly agreesWith:
    | 'booking'
    | 'held_booking'
    | 'cancelled_booking'
    | 'sent_revision'
    | 'nothing'
  /** Whether it may leave between 9 PM and 8 AM, shop time: what nobody asked for and nobody waits for may not. */
  readonly isSentAtNight: boolean
}

/**
 * Every kind of e-mail. All but `goesTo` is in the table `internal.email_kinds` too, which the database acts
 * by; a test holds them together.
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

/** The kinds that a visitor causes: no other can be queued for one. */
export type ConfirmationKind = {
  [Kind in EmailKind]: (typeof emailKinds)[Kind]['isConfirmation'] extends true ? Kind : never
}[EmailKind]
