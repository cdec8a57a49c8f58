import type { EmailStatus } from '#contracts/emails/emails.ts'
import { isSingleAddress } from '#emails/layout/untrusted-text.ts'
import { DeliveryFailure, type MailTransport, type OutgoingEmail } from './mail-transport.ts'

/**
 * The outbox as whoever delivers reaches it: the shop's own process by SQL, a hosted function through the
 * data service. What each call does is decided in the database (supabase/schemas/80_emails.sql).
 */
export type Outbox = {
  /** Takes a message for one attempt; undefined when it is not due, done, no longer true or in other hands. */
  claim(id: string): Promise<OutgoingEmail | undefined>
  recordSent(id: string, outcome: 'sent' | 'in_outbox', providerMessageId: string): Promise<void>
  /** What becomes of the message now; undefined when somebody else decided that meanwhile. */
  recordFailure(email: OutgoingEmail, failure: DeliveryFailure): Promise<EmailStatus | undefined>
  /** What became of a message so far. */
  readStatus(id: string): Promise<EmailStatus | undefined>
}

/** Where messages are taken from, and where they go. */
export type Delivery = { readonly outbox: Outbox; readonly transport: MailTransport }

/**
 * Tries to send a message, and notes what became of it: never `sent` before the mail server has taken it.
 * Undefined when it could not be claimed. A crash between the sending and the note sends it again later,
 * under the same Message-ID.
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
    // A full disk or a broken network is no verdict on the message: it is tried again.
    return error instanceof DeliveryFailure ? error : new DeliveryFailure(String(error), false)
  }
}

const pollMs = 200
const timeoutMs = 20_000

/** Tries to send a message now; what became of it, also when somebody else was faster. */
export async function deliverEmail(delivery: Delivery, id: string): Promise<EmailStatus> {
  const outcome = await attemptDelivery(delivery, id)
  if (outcome) return outcome
  // Somebody else has it in hand, or it is done: the second of two clicks gets the first one's answer.
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const status = (await delivery.outbox.readStatus(id)) ?? 'failed'
    if (status !== 'queued' || Date.now() > deadline) return status
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Whether a message is away: at a mail server, or in the folder where there is none. */
export function isDelivered(status: EmailStatus): boolean {
  return status === 'sent' || status === 'in_outbox'
}
