import type { EmailStatus } from '#contracts/emails/emails.ts'
import { isSingleAddress } from '#emails/layout/recipient.ts'
import { DeliveryFailure, type MailTransport, type OutgoingEmail } from './mail-transport.ts'

/**
 * Access to the outbox, for every process that delivers: the shop's own server uses SQL, a hosted function uses the
 * data service. The database implements each call (supabase/schemas/80_emails.sql).
 */
export type Outbox = {
  /**
   * Claims an email for one attempt; undefined when it is not due, already sent, outdated, or claimed by another
   * process.
   */
  claim(id: string): Promise<OutgoingEmail | undefined>
  recordSent(id: string, outcome: 'sent' | 'in_outbox', providerMessageId: string): Promise<void>
  /** Records a failed attempt and returns the new status; undefined when another process has changed the status. */
  recordFailure(email: OutgoingEmail, failure: DeliveryFailure): Promise<EmailStatus | undefined>
  /** The current status of an email. */
  readStatus(id: string): Promise<EmailStatus | undefined>
}

/** The outbox to read from and the transport to send by. */
export type Delivery = { readonly outbox: Outbox; readonly transport: MailTransport }

/**
 * Tries to send an email and records the result; `sent` is recorded only after the mail server has accepted it.
 * Undefined when the email could not be claimed. After a crash between sending and recording, the email is sent again
 * with the same Message-ID.
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
    return new DeliveryFailure('The address is not one email address.', true)
  }
  try {
    return await transport.send(email)
  } catch (error) {
    // A full disk or a broken network says nothing about the email itself, so another attempt follows.
    return error instanceof DeliveryFailure ? error : new DeliveryFailure(String(error), false)
  }
}

const pollMs = 200
const timeoutMs = 20_000

/** Tries to send an email now and returns its status, also when another process sends it at the same time. */
export async function deliverEmail(delivery: Delivery, id: string): Promise<EmailStatus> {
  const outcome = await attemptDelivery(delivery, id)
  if (outcome) return outcome
  // Another process has claimed or already sent the email, so this call waits for that result.
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const status = (await delivery.outbox.readStatus(id)) ?? 'failed'
    if (status !== 'queued' || Date.now() > deadline) return status
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Whether an email was accepted by a mail server, or stored in the outbox where none is configured. */
export function isDelivered(status: EmailStatus): boolean {
  return status === 'sent' || status === 'in_outbox'
}
