import type { EmailKind, EmailStatus } from './emails.ts'

/**
 * The delivery of an email about an appointment or a quote request: the columns of `emails` that the dashboard reads.
 */
export type EmailDelivery = {
  readonly id: string
  readonly kind: EmailKind
  readonly status: EmailStatus
  readonly attempts: number
  /**
   * The time (ISO 8601) at which the next delivery attempt is due. Meaningful only while the status is queued or
   * retrying.
   */
  readonly next_attempt_at: string
  readonly last_error: string | null
  readonly created_at: string
  readonly sent_at: string | null
}

/** The columns of `EmailDelivery`, for a request to the REST API that reads a record together with its emails. */
export const emailDeliveryColumns =
  'id, kind, status, attempts, next_attempt_at, last_error, created_at, sent_at'

/** Returns the newest email of a kind. */
export function latestEmail(
  emails: readonly EmailDelivery[],
  kind: EmailKind,
): EmailDelivery | undefined {
  return emails
    .filter((email) => email.kind === kind)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]
}

/** Returns whether at least one of the emails is still being sent; the dashboard then polls for the status. */
export function isBeingSent(emails: readonly { readonly status: EmailStatus }[]): boolean {
  return emails.some(({ status }) => status === 'queued' || status === 'retrying')
}
