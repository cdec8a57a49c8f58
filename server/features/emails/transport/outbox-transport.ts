import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serializeMessage } from './compose-message.ts'
import type { MailTransport, OutgoingEmail } from '#emails/delivery/mail-transport.ts'

/**
 * Stores emails as .eml files, which any mail program opens, when no mail server is configured. A file name contains
 * the time and the kind of an email, but no personal data.
 */
export function createOutboxTransport(folder: string): MailTransport {
  return {
    mode: 'outbox',
    async send(email) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(join(folder, outboxFileName(email)), await serializeMessage(email))
      return { providerMessageId: email.messageId }
    },
  }
}

/** Returns the file name of an email, such as '20261128T213000-booking_confirmation-0b5c….eml'. */
export function outboxFileName({
  id,
  kind,
  createdAt,
}: Pick<OutgoingEmail, 'id' | 'kind' | 'createdAt'>): string {
  const written = new Date(createdAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `${written}-${kind}-${id}.eml`
}

/**
 * Writes a temporary file and renames it, so that the folder never contains an incomplete email, even after a power
 * failure.
 */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`
  try {
    const file = await open(unfinished, 'w', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
