import type { EmailStatus } from '#contracts/emails/emails.ts'
import { isSingleAddress } from '#emails/layout/recipient.ts'
import { DeliveryFailure, type MailTransport, type OutgoingEmail } from './mail-transport.ts'

/**
 * The operations on the outbox that are needed to deliver emails. Each operation calls a database function of
 * supabase/schemas/80_emails.sql. The shop's own server calls the function in SQL, a hosted Supabase project calls the
 * function over the REST API.
 */
export type Outbox = {
  /**
   * Claims an email, so that no other process sends it, and returns the email. Undefined when the email is not due,
   * already sent, outdated, or claimed by another process.
   */
  claim(id: string): Promise<OutgoingEmail | undefined>
  recordSent(id: string, outcome: 'sent' | 'in_outbox', providerMessageId: string): Promise<void>
  /**
   * Records a failed attempt and returns the new status; undefined when another process has changed the status since
   * this process claimed the email.
   */
  recordFailure(email: OutgoingEmail, failure: DeliveryFailure): Promise<EmailStatus | undefined>
  /** Returns the current status of an email; undefined when the email does not exist. */
  readStatus(id: string): Promise<EmailStatus | undefined>
}

/** The outbox that contains the emails, and the transport that sends them. */
export type Delivery = { readonly outbox: Outbox; readonly transport: MailTransport }

/**
 * Attempts to send an email and records the result. The status `sent` is recorded only after the mail server has
 * accepted the email. Undefined when this process could not claim the email. After a crash between sending and
 * recording, a later attempt sends the email again with the same Message-ID.
 */
export async function attemptDelivery(
  { outbox, transport }: Delivery,
  id: string,
): Promise<EmailStatus | undefined> {
  const email = await outbox.claim(id)
  if (!email) return undefined
  const handedOver = await handOver(transport, email)
  if (handedOver instanceof DeliveryFailure) return outbox.recordFailure(email, handedOver)
  const outcome = transport.mode === 'outbox' ? 'in_outbox' : 'sent'
  await outbox.recordSent(id, outcome, handedOver.providerMessageId)
  return outcome
}

async function handOver(
  transport: MailTransport,
  email: OutgoingEmail,
): Promise<{ providerMessageId: string } | DeliveryFailure> {
  if (!isSingleAddress(email.recipientEmail)) {
    return new DeliveryFailure('The recipient is not a single email address.', true)
  }
  try {
    return await transport.send(email)
  } catch (error) {
    // A full disk or a broken network is not the fault of the email, so the failure counts as temporary and the server
    // tries again later.
    return error instanceof DeliveryFailure ? error : new DeliveryFailure(String(error), false)
  }
}

const pollMs = 200
const timeoutMs = 20_000

/**
 * Attempts to send an email now and returns its status. When another process is sending the email, this call waits for
 * the result of that attempt.
 */
export async function deliverEmail(delivery: Delivery, id: string): Promise<EmailStatus> {
  const outcome = await attemptDelivery(delivery, id)
  if (outcome) return outcome
  // Another process has claimed or already sent the email, so this call polls the status of the email until a deadline.
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const status = (await delivery.outbox.readStatus(id)) ?? 'failed'
    if (status !== 'queued' || Date.now() > deadline) return status
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/**
 * Returns whether a mail server accepted the email or, without a configured mail server, the email is stored in the
 * outbox.
 */
export function isDelivered(status: EmailStatus): boolean {
  return status === 'sent' || status === 'in_outbox'
}
