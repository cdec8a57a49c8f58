import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { promptHidden } from './ask-owner.ts'
import { readKeyFile } from './backup-secret.ts'
import { runCommand } from './command.ts'
import { openBackupFile } from '#server/platform/storage/backup-file.ts'
import {
  restoreIntoDataDirectory,
  restoreIntoServer,
} from '#server/platform/storage/restore-backup.ts'
import { StartupError } from '@local/postgres'

// `npm run restore FILE` restores a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL.
await runCommand(async ({ dataDirectory, databaseUrl: ownerUrl }) => {
  const { path, keyFile } = readArguments()
  if (!existsSync(path)) throw new StartupError(`There is no file ${path}.`)
  const file = await openBackupFile(path, async () =>
    keyFile === undefined ? promptPassphrase(path) : readKeyFile(keyFile),
  )
  const restored = ownerUrl
    ? await restoreIntoServer(file, { ownerUrl, dataDirectory, isShared: true })
    : await restoreIntoDataDirectory(file, dataDirectory)
  console.log(
    `Restored the shop as of ${restored.takenAt}: ${restored.rows} rows, ${restored.files} files. Everybody is signed out, and the address of the calendar feed no longer works. Start the site with npm start.`,
  )
  if (restored.links === 'end') {
    console.log(
      `Links in earlier emails of the shop do not work, because their key is missing. If you have a copy of the folder keys, put its file visit_key into ${dataDirectory}/keys before npm start.`,
    )
  }
})

async function promptPassphrase(path: string): Promise<string> {
  const passphrase = await promptHidden('Passphrase of this backup')
  if (passphrase !== '') return passphrase
  throw new StartupError(
    `${path} is encrypted, and nobody typed its passphrase. With a key file: npm run restore FILE -- --key-file KEYFILE. Nothing was changed.`,
  )
}

function readArguments() {
  try {
    const options = { 'key-file': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const [path, ...rest] = positionals
    if (path !== undefined && rest.length === 0) return { path, keyFile: values['key-file'] }
  } catch {
    // The option is unknown. The error below explains the usage.
  }
  throw new StartupError(
    'Name the backup: npm run restore FILE. If a key file encrypted it: npm run restore FILE -- --key-file KEYFILE',
  )
}
