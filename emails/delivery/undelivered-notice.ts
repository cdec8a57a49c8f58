import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import type { OutgoingEmail } from './mail-transport.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

const undeliveredSubject = 'An email could not be delivered: please call the customer'

/**
 * Notifies the owner that the delivery of an email to a customer failed, so that an employee can call the customer.
 */
export function writeUndeliveredNotice(
  email: OutgoingEmail,
  reason: string,
  owner: Owner,
): OwnerNotice {
  return writeOwnerNotice(owner, {
    key: `undelivered:${email.messageId}`,
    line: undeliveredSubject,
    subject: undeliveredSubject,
    preview: 'A customer did not get our message.',
    heading: 'A customer did not get our message',
    parts: [
      {
        kind: 'paragraph',
        text: 'The message below could not be delivered. Please call the customer. The dashboard shows the phone number, and can send the message again.',
      },
      {
        kind: 'facts',
        details: [
          [
            'To',
            withoutLinks(oneUntrustedLine(`${email.recipientName} (${email.recipientEmail})`, 350)),
          ],
          ['Subject', withoutLinks(oneUntrustedLine(email.subject, 250))],
          ['Mail server', withoutLinks(oneUntrustedLine(reason, 300))],
        ],
      },
    ],
    reason: "You're receiving this email as the owner of the shop.",
  })
}
