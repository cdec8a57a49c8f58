import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { promptNewPassphrase, readKeyFile } from './backup-secret.ts'
import { runCommand } from './command.ts'
import type { Config } from '#server/config.ts'
import { writeBackupFile } from '#server/platform/storage/backup-file.ts'
import { prepareDatabase } from '#server/platform/database/bootstrap-database.ts'
import { findRunningServer, hasCluster } from '@local/embedded-postgres'
import { StartupError } from '@local/postgres'
import { takeBackup } from '#server/platform/storage/take-backup.ts'

const usage = `Backs up the whole shop, also while the site runs.

  npm run backup [FILE]                                       does not encrypt the backup
  npm run backup [FILE] -- --encrypt                          asks for a passphrase
  npm run backup [FILE] -- --encrypt --key-file KEYFILE       encrypts with the key in that file`

// `npm run backup [FILE]` writes all records and files of the shop into one file. The site may run at the same time.
await runCommand(async (config) => {
  const { target, isEncrypted, keyFile } = readArguments()
  if (!config.databaseUrl && !hasCluster(config.dataDirectory)) {
    throw new StartupError(
      `DATA_DIR ${config.dataDirectory} contains no database. Set DATA_DIR to the data directory of the shop.`,
    )
  }
  const secret = isEncrypted ? await readSecret(keyFile) : undefined
  const file = target ?? defaultFile(config.dataDirectory, isEncrypted)
  const backend = config.hosted ? 'hosted' : 'own'
  await withOwnerUrl(config, (ownerUrl) =>
    writeBackupFile(file, takeBackup(ownerUrl, config.dataDirectory, backend), secret),
  )
  const kilobytes = Math.ceil(statSync(file).size / 1024)
  const made = isEncrypted
    ? 'Made and read back an encrypted backup'
    : 'Made and read back a backup'
  console.log(`${made}: ${file} (${kilobytes} kB). Keep a copy on another machine.`)
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        encrypt: { type: 'boolean', default: false },
        'key-file': { type: 'string' },
      },
    })
    const [target, ...rest] = positionals
    const { encrypt: isEncrypted, 'key-file': keyFile } = values
    if (rest.length === 0 && (isEncrypted || keyFile === undefined)) {
      return { target, isEncrypted, keyFile }
    }
  } catch {
    // An unknown option makes `parseArgs` throw. The command then prints its usage, which lists the valid options.
  }
  throw new StartupError(usage)
}

function readSecret(keyFile: string | undefined): string | Promise<string> {
  return keyFile === undefined ? promptNewPassphrase() : readKeyFile(keyFile)
}

function defaultFile(dataDirectory: string, isEncrypted: boolean): string {
  const folder = join(dataDirectory, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return join(folder, `${stamp}.jsonl.gz${isEncrypted ? '.encrypted' : ''}`)
}

async function withOwnerUrl(
  config: Config,
  work: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const running = config.databaseUrl ?? findRunningServer(config.dataDirectory)
  if (running !== undefined) return work(running)
  const prepared = await prepareDatabase(config)
  try {
    await work(prepared.ownerUrl)
  } finally {
    await prepared.stop()
  }
}
