import nodemailer, { type SendMailOptions } from 'nodemailer'
import { emailKinds } from '#emails/email-kinds.ts'
import type { OutgoingEmail, StoredAttachment } from '#emails/delivery/mail-transport.ts'

/**
 * The message for nodemailer. Addresses are objects, never text: a line break in a name would otherwise
 * become a header. Nothing is ever read from a file or an address that a message names.
 */
export function composeMessage(email: OutgoingEmail): SendMailOptions {
  const calendar = email.attachments.find(isCalendar)
  return {
    from: { name: email.from.name, address: email.from.address },
    to: { name: email.recipientName, address: email.recipientEmail },
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: email.messageId,
    // Keeps absence notes from being sent back to machine-written mail (RFC 3834).
    headers: isPersonalEmail(email) ? {} : { 'Auto-Submitted': 'auto-generated' },
    // As a part that calendars act on, and as a file for those that do not (RFC 6047, section 2.4).
    ...(calendar && { icalEvent: toCalendarPart(calendar) }),
    attachments: email.attachments
      .filter((attachment) => attachment !== calendar)
      .map(({ filename, contentType, contentBase64 }) => ({
        filename,
        contentType,
        content: Buffer.from(contentBase64, 'base64'),
      })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const isCalendar = ({ contentType }: StoredAttachment) => contentType.startsWith('text/calendar')

function toCalendarPart({ filename, contentType, contentBase64 }: StoredAttachment) {
  const [, method = 'PUBLISH'] = /method=(\w+)/.exec(contentType) ?? []
  return { filename, method, content: Buffer.from(contentBase64, 'base64') }
}

function isPersonalEmail({ kind }: OutgoingEmail): boolean {
  return emailKinds[kind].goesTo === 'whom-the-admin-writes-to'
}

/** The message as it travels: the bytes of an .eml file (RFC 5322). */
export async function serializeMessage(email: OutgoingEmail): Promise<Buffer> {
  const printer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  })
  const printed = await printer.sendMail(composeMessage(email))
  return Buffer.isBuffer(printed.message) ? printed.message : Buffer.alloc(0)
}
