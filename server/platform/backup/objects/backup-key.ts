import { createHash } from 'node:crypto'
import { makeKey, openKeyFiles } from '#server/platform/keys/key-files.ts'

/** The file in `DATA_DIR/keys` with the key that encrypts the backup. The backup itself does not contain this file. */
export const backupKeyFile = 'backup.key'

export type BackupKey = {
  readonly secret: Buffer
  /**
   * The fingerprint of the key, which identifies the key without revealing it; pages and messages show it as '7F3A
   * 91C4 22D8'.
   */
  readonly fingerprint: string
}

/**
 * Opens the key of the backup, or creates it. `isNew` is true if the key was created now; the owner is then asked to
 * store a copy on another machine.
 */
export function openBackupKey(dataDirectory: string): { key: BackupKey; isNew: boolean } {
  const files = openKeyFiles(dataDirectory)
  const stored = files.read(backupKeyFile)
  const text = stored ?? makeKey()
  if (stored === undefined) files.write(backupKeyFile, text)
  return { key: parseBackupKey(text), isNew: stored === undefined }
}

/** Parses the content of a key file. */
export function parseBackupKey(text: string): BackupKey {
  const secret = createHash('sha256').update(`torque-and-timing backup ${text.trim()}`).digest()
  const hex = createHash('sha256').update(secret).digest('hex').slice(0, 12).toUpperCase()
  return { secret, fingerprint: (hex.match(/.{4}/g) ?? []).join(' ') }
}
