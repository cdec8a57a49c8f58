import * as z from 'zod/mini'
import { mailServerSecurity } from '#contracts/setup.ts'

/**
 * The settings of the mail server that an owner entered in the dashboard. The database stores these settings encrypted.
 */
const mailServer = z.object({
  host: z.string(),
  port: z.number(),
  security: mailServerSecurity,
  /** The username and the password; both are empty for a server without sign-in. */
  username: z.string(),
  password: z.string(),
  /** The email address of the sender; empty if emails are sent from the shop's email address for bookings. */
  from: z.string(),
})
export type MailServer = z.infer<typeof mailServer>

export const parseMailServer = (text: string): MailServer => mailServer.parse(JSON.parse(text))

/** Returns the settings as a URL in the format of SMTP_URL. */
export function toSmtpUrl({ host, port, security, username, password }: MailServer): string {
  const signIn = username && `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${signIn}${host}:${port}`
}
