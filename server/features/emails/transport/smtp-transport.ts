import nodemailer from 'nodemailer'
import { composeMessage } from './compose-message.ts'
import { DeliveryFailure, type MailTransport } from '#emails/delivery/mail-transport.ts'

export type SmtpTimeouts = {
  /** For the connection, the greeting and each silence after that, in milliseconds. */
  readonly silenceMs: number
  /** For the whole delivery, in milliseconds: below the lease of claim_email. */
  readonly totalMs: number
}

// A server that looks through a message before it takes it may be silent for long: who gives up then sends
// the message twice (RFC 5321, section 4.5.3.2.6, asks for ten minutes). A visitor may be waiting, though.
const usualTimeouts: SmtpTimeouts = { silenceMs: 30_000, totalMs: 60_000 }

/**
 * Hands messages to a mail server. `smtps://` speaks TLS from the start; `smtp://` switches to it when
 * the server offers to, and refuses to show a password without it (but on this machine itself).
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
    // What a mail server on this machine shows is nobody's certificate to check.
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

/** A server that answers a byte now and then is never silent, and never done. */
async function within<Value>(totalMs: number, work: Promise<Value>): Promise<Value> {
  const deadline = AbortSignal.timeout(totalMs)
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () =>
      reject(new DeliveryFailure('The mail server did not finish in time.', false)),
    )
  })
  return Promise.race([work, late])
}

/**
 * 5xx about the recipient (EENVELOPE) or the message (EMESSAGE) is the server's last word (RFC 5321,
 * section 4.2.1). A refused sign-in is ours to repair: the message waits for that.
 */
function toFailure(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  const { code, responseCode, response, message } = error as {
    code?: string
    responseCode?: number
    response?: string
    message?: string
  }
  const isVerdict = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isPermanent = isVerdict && (responseCode ?? 0) >= 500
  return new DeliveryFailure(
    response ?? `The mail server: ${message ?? String(error)}`,
    isPermanent,
  )
}
