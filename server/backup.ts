import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import type { Config } from './config.ts'
import { writeBackupFile } from './platform/backup/backup-file.ts'
import { prepareDatabase } from './platform/postgres/bootstrap-database.ts'
import { findRunningServer, hasCluster } from './platform/postgres/cluster.ts'
import { StartRefused } from './platform/start/start-refused.ts'
import { takeBackup } from './platform/backup/take-backup.ts'

// `npm run backup [FILE]`: everything the shop knows in one file, while the site runs or not.
await runCommand(async (config) => {
  if (config.hosted) {
    throw new StartRefused('A hosted project makes its own backups; see its dashboard.')
  }
  if (!config.databaseUrl && !hasCluster(config.dataDirectory)) {
    throw new StartRefused(`There is no database in DATA_DIR ${config.dataDirectory} to back up.`)
  }
  const file = process.argv[2] ?? defaultFile(config.dataDirectory)
  await withOwnerUrl(config, (ownerUrl) =>
    writeBackupFile(file, takeBackup(ownerUrl, config.dataDirectory)),
  )
  const kilobytes = Math.ceil(statSync(file).size / 1024)
  console.log(`Backed up and read back: ${file} (${kilobytes} kB). Keep a copy on another machine.`)
})

function defaultFile(dataDirectory: string): string {
  const folder = join(dataDirectory, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return join(folder, `${stamp}.jsonl.gz`)
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
