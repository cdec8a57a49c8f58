import type { EmailKind, EmailStatus } from './emails.ts'

/** What the dashboard reads of an e-mail that belongs to an appointment or a quote request: a row of `emails`. */
export type EmailDelivery = {
  readonly id: string
  readonly kind: EmailKind
  readonly status: EmailStatus
  readonly attempts: number
  /** ISO 8601; means something while the status is queued or retrying. */
  readonly next_attempt_at: string
  readonly last_error: string | null
  readonly created_at: string
  readonly sent_at: string | null
}

/** Those columns, for a `select` of the data service that embeds them. */
export const emailDeliveryColumns =
  'id, kind, status, attempts, next_attempt_at, last_error, created_at, sent_at'

/** The newest e-mail of a kind: an older one of the same kind is history. */
export function latestEmail(
  emails: readonly EmailDelivery[],
  kind: EmailKind,
): EmailDelivery | undefined {
  return emails
    .filter((email) => email.kind === kind)
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))[0]
}

/** Whether the state of one of them will change by itself, so that it is worth asking again soon. */
export function isBeingSent(emails: readonly { readonly status: EmailStatus }[]): boolean {
  return emails.some(({ status }) => status === 'queued' || status === 'retrying')
}
