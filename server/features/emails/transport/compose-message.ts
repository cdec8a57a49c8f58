import nodemailer, { type SendMailOptions } from 'nodemailer'
import { emailKinds } from '#emails/email-kinds.ts'
import type { OutgoingEmail, StoredAttachment } from '#emails/delivery/mail-transport.ts'

/**
 * Converts an email to a nodemailer message. Email addresses are objects, not strings, so that a line break in a name
 * cannot start a header. File and URL access is disabled, so that nodemailer never loads a path or URL from a message.
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
    // Prevents out-of-office replies to automated emails (RFC 3834).
    headers: isPersonalEmail(email) ? {} : { 'Auto-Submitted': 'auto-generated' },
    // The calendar file is attached twice: in a part that calendar programs process, and as a normal attachment for
    // other programs (RFC 6047, section 2.4).
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

/** Serializes the message to the bytes of an .eml file (RFC 5322). */
export async function serializeMessage(email: OutgoingEmail): Promise<Buffer> {
  const printer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  })
  const printed = await printer.sendMail(composeMessage(email))
  return Buffer.isBuffer(printed.message) ? printed.message : Buffer.alloc(0)
}
