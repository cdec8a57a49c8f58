import nodemailer from 'nodemailer'
import { composeMessage } from './compose-message.ts'
import { DeliveryFailure, type MailTransport } from '#emails/delivery/mail-transport.ts'

export type SmtpTimeouts = {
  /** The time limit in milliseconds for the connection, for the server's greeting, and for each later reply. */
  readonly silenceMs: number
  /**
   * The time limit in milliseconds for the whole delivery; shorter than the time for which `claim_email` reserves the
   * email for this process.
   */
  readonly totalMs: number
}

// A mail server may scan an email for a long time before accepting it. A client that stops waiting during the scan
// sends the email twice, so RFC 5321, section 4.5.3.2.6, requires a timeout of ten minutes. The time limits of this
// transport are shorter, because a visitor may be waiting for the response.
const usualTimeouts: SmtpTimeouts = { silenceMs: 30_000, totalMs: 60_000 }

/**
 * Sends emails to a mail server. `smtps://` uses TLS from the start. `smtp://` switches to TLS when the server
 * offers it, and sends no password without TLS, except to a server on this machine.
 */
export function createSmtpTransport(
  smtpUrl: string,
  { silenceMs, totalMs }: SmtpTimeouts = usualTimeouts,
): MailTransport {
  const url = new URL(smtpUrl)
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const secure = url.protocol === 'smtps:'
  const mailer = nodemailer.createTransport({
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && url.username !== '' && !isLocal,
    // The certificate of a mail server on this machine is not checked, because it may be self-signed.
    tls: { rejectUnauthorized: !isLocal },
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    dnsTimeout: silenceMs,
  })
  return {
    mode: 'smtp',
    async send(email) {
      try {
        const sent = await within(totalMs, mailer.sendMail(composeMessage(email)))
        return { providerMessageId: sent.messageId }
      } catch (error) {
        throw toFailure(error)
      }
    },
  }
}

/**
 * Limits the duration of the whole delivery. A mail server that sends a byte from time to time would never exceed the
 * time limit for a single reply.
 */
async function within<Value>(totalMs: number, work: Promise<Value>): Promise<Value> {
  const deadline = AbortSignal.timeout(totalMs)
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () =>
      reject(new DeliveryFailure('The mail server did not accept the email in time.', false)),
    )
  })
  return Promise.race([work, late])
}

type SmtpError = {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly message?: string
}

/**
 * Converts an SMTP error to a delivery failure. A 5xx reply about the recipient (EENVELOPE) or the email (EMESSAGE) is
 * permanent (RFC 5321, section 4.2.1). A refused sign-in is not permanent, because the owner can correct the settings;
 * the email is retried.
 */
function toFailure(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  const { code, responseCode, response, message }: SmtpError = Object(error)
  const isVerdict = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isPermanent = isVerdict && (responseCode ?? 0) >= 500
  return new DeliveryFailure(
    response ?? `Sending through the mail server failed: ${message ?? String(error)}`,
    isPermanent,
  )
}
