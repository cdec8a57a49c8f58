import { existsSync } from 'node:fs'
import { promptHidden } from '#server/commands/ask-owner.ts'
import { readKeyFile } from '#server/commands/backup-secret.ts'
import type { Config } from '#server/config.ts'
import { describeMissingPasswords } from './describe-missing-passwords.ts'
import { openBackupFile } from '#server/platform/storage/backup-file.ts'
import {
  restoreIntoDataDirectory,
  restoreIntoServer,
} from '#server/platform/storage/restore-backup.ts'
import { StartupError } from '@local/postgres'

/**
 * Restores a backup file of `npm run backup`, either into an empty DATA_DIR or into the empty database of DATABASE_URL.
 */
export async function restoreFromFile(
  { dataDirectory, databaseUrl: ownerUrl }: Config,
  path: string,
  keyFile: string | undefined,
): Promise<void> {
  if (!existsSync(path))
    throw new StartupError(`The backup file ${path} does not exist. Check the path.`)
  const file = await openBackupFile(path, async () =>
    keyFile === undefined ? promptPassphrase(path) : readKeyFile(keyFile),
  )
  const restored = ownerUrl
    ? await restoreIntoServer(file, { ownerUrl, dataDirectory, isShared: true })
    : await restoreIntoDataDirectory(file, dataDirectory)
  console.log(
    `Restored the shop as of ${restored.takenAt}: ${restored.rows} rows, ${restored.files} files. Everybody is signed out, and the address of the calendar feed no longer works. Start the site with npm start.`,
  )
  if (restored.ownerWithoutPassword !== undefined) {
    console.log(describeMissingPasswords(restored.ownerWithoutPassword))
  }
  if (restored.links === 'end') {
    console.log(
      `Links in earlier emails of the shop do not work, because the key of these links is missing. If you have a copy of the folder "keys", copy the file visit_key from there to ${dataDirectory}/keys before npm start.`,
    )
  }
}

async function promptPassphrase(path: string): Promise<string> {
  const passphrase = await promptHidden('Passphrase of this backup')
  if (passphrase !== '') return passphrase
  throw new StartupError(
    `${path} is encrypted, and nobody typed its passphrase. With a key file: npm run restore FILE -- --key-file KEYFILE. Nothing was changed.`,
  )
}
