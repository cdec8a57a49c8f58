import { statSync } from 'node:fs'
import { describeSkipped } from './restore/describe-skipped.ts'
import { runCommand } from './command.ts'
import {
  type DrillContext,
  DrillRunningError,
  performDrill,
} from '#server/features/backup/perform-drill.ts'
import { connectCommand } from '#server/platform/database/connect-command.ts'
import { findRunningServer } from '@local/embedded-postgres'
import { StartupError } from '@local/postgres'
import { openBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { openTarget } from '#server/platform/backup/target/open-target.ts'
import type { DrillStep } from '#server/platform/backup/drill/run-drill.ts'

const steps: Readonly<Record<DrillStep, string>> = {
  marking: 'Reading the records of the shop and sending the write-ahead log …',
  copying: 'Copying the newest backup …',
  recovering: 'Recovering the database …',
  comparing: 'Comparing the restored database with the shop …',
}

// `npm run drill` runs a restore drill: it restores the newest backup into a separate folder while the site is
// running, and compares the restored copy with the shop.
await runCommand(async (config) => {
  const { backup, dataDirectory } = config
  if (!backup) throw new StartupError('There is no continuous backup: BACKUP_URL is not set.')
  refuseOtherUser(dataDirectory)
  const isLogical = config.databaseUrl !== undefined
  if (!isLogical && findRunningServer(dataDirectory) === undefined) {
    throw new StartupError(
      'Start the site first: the restore drill compares the restored backup with the database of the running site.',
    )
  }
  const { database, ownerUrl, stop } = await connectCommand(config)
  try {
    const result = await performUnlessRunning({
      database,
      ownerUrl,
      dataDirectory,
      isLogical,
      target: openTarget(backup.url, config.s3),
      key: openBackupKey(dataDirectory).key,
      now: Date.now,
      onStep: (step) => console.log(steps[step]),
      report: (error) => console.error(error instanceof StartupError ? error.message : error),
    })
    console.log(describeProven(result))
  } finally {
    await stop()
  }
})

/**
 * The user root cannot start the restored copy of a shop that runs as another user. The restore drill would report this
 * failed start as a defect of the backup.
 */
function refuseOtherUser(dataDirectory: string): void {
  const owner = statSync(dataDirectory, { throwIfNoEntry: false })?.uid
  if (process.getuid?.() === 0 && owner !== undefined && owner !== 0) {
    throw new StartupError(
      `Run the restore drill as the user that owns ${dataDirectory}: sudo -u USER env DATA_DIR=… BACKUP_URL=… npm run drill`,
    )
  }
}

async function performUnlessRunning(context: DrillContext) {
  try {
    return await performDrill(context, new AbortController().signal)
  } catch (error) {
    if (!(error instanceof DrillRunningError)) throw error
    throw new StartupError(
      'Another restore drill is running. The dashboard shows the result when the restore drill ends.',
    )
  }
}

type Result = Awaited<ReturnType<typeof performDrill>>

/**
 * Runs a restore drill (a test restore of the backup) and returns the sentence that reports a verified backup. Throws
 * `StartupError` for any other result.
 */
function describeProven(result: Result): string {
  if (result === undefined || result.outcome === 'not_drilled') {
    const object = result?.object === undefined ? '' : ` (${result.object})`
    throw new StartupError(
      `The restore drill did not show that the backup can be restored: ${result?.reason ?? 'stopped'}${object}.`,
    )
  }
  if (result.outcome === 'differs') {
    const files = `${result.differingFiles} files, the first is ${result.object ?? 'unknown'}`
    const what = result.differing.join(', ') || files
    throw new StartupError(
      `The restored copy differs from the shop in these tables or files: ${what}.`,
    )
  }
  const { tables, rows, checkedFiles, files, restoredMs, skipped } = result
  const lacks = skipped.length === 0 ? '' : `\n${describeSkipped(skipped)}`
  return `The backup is proven: ${tables} tables with ${rows} rows are equal in the shop and in the restored copy. The drill also checked ${checkedFiles} of ${files} files. Copying and recovering the backup took ${Math.ceil(restoredMs / 1000)} s.${lacks}`
}
