import type { Sender } from './sender.ts'
import { DeliveryFailure, type MailTransport, type OutgoingEmail } from './mail-transport.ts'

const endpoint = 'https://api.resend.com/emails'

/**
 * Sends emails through Resend (https://resend.com/docs/api-reference/emails/send-email). For a day, Resend ignores
 * further requests with the same idempotency key, so an attempt after a crash sends no duplicate.
 */
export function createResendTransport(apiKey: string, send: typeof fetch = fetch): MailTransport {
  return {
    mode: 'resend',
    async send(email) {
      const response = await post(send, apiKey, email)
      const body: unknown = await response.json().catch(() => undefined)
      if (!response.ok) throw toFailure(response.status, body)
      return { providerMessageId: textOf(body, 'id') ?? email.messageId }
    },
  }
}

async function post(send: typeof fetch, apiKey: string, email: OutgoingEmail): Promise<Response> {
  try {
    return await send(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': email.messageId,
      },
      body: JSON.stringify({
        from: mailbox(email.from),
        // The recipient has no name, because Resend parses the name as text, and a crafted name could become another
        // email address.
        to: [email.recipientEmail],
        subject: email.subject,
        html: email.html,
        text: email.text,
        headers: { 'Message-ID': email.messageId },
        attachments: email.attachments.map((attachment) => ({
          filename: attachment.filename,
          content: attachment.contentBase64,
          content_type: attachment.contentType,
        })),
      }),
      signal: AbortSignal.timeout(15_000),
    })
  } catch {
    throw new DeliveryFailure('Resend could not be reached.', false)
  }
}

/**
 * Returns the sender as 'Torque & Timing <hello@shop.example>'. The function quotes a name that a mail program could
 * parse as an email address (RFC 5322, section 3.4).
 */
function mailbox({ name, address }: Sender): string {
  const isPlain = /^[\w !#$%&'*+\-/=?^`{|}~]+$/.test(name)
  return `${isPlain ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`} <${address}>`
}

/** Only errors about the email itself are permanent. Errors about the API key, limits and outages are temporary. */
function toFailure(status: number, body: unknown): DeliveryFailure {
  const isPermanent = status === 400 || status === 413 || status === 422
  return new DeliveryFailure(
    `Resend: ${status} ${textOf(body, 'message') ?? ''}`.trim(),
    isPermanent,
  )
}

function textOf(body: unknown, key: 'id' | 'message'): string | undefined {
  const value: unknown = Object(body)[key]
  return typeof value === 'string' ? value : undefined
}
