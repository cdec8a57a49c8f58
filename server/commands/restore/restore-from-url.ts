import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { capitalized } from '#domain/text/capitalized.ts'
import type { Config } from '#server/config.ts'
import { hasPassword, hasRemark } from '#server/platform/backup/backup-settings.ts'
import { backupKeyFile } from '#server/platform/backup/objects/backup-key.ts'
import { RestoreError } from '#server/platform/backup/restore/restore-error.ts'
import type { RestoredShop } from '#server/platform/backup/restore/prepare-recovered.ts'
import { restoreFromTarget } from '#server/platform/backup/restore/restore-from-target.ts'
import { openTarget } from '#server/platform/backup/target/open-target.ts'
import { TargetError } from '#server/platform/backup/target/target.ts'
import { StartupError } from '@local/postgres'
import { describeMissingPasswords } from './describe-missing-passwords.ts'
import { describeRefusal } from './describe-refusal.ts'
import { describeSkipped } from './describe-skipped.ts'
import { type PreparedShop, prepareRestoredShop } from './prepare-restored-shop.ts'

export type FromUrl = {
  readonly from: string
  readonly at: string | undefined
  readonly key: string | undefined
  readonly shop: string | undefined
  readonly incarnation: string | undefined
}

/** Restores the shop from the target of a continuous backup into an empty DATA_DIR, and prints a report. */
export async function restoreFromUrl(config: Config, given: FromUrl): Promise<void> {
  if (!/^(file:\/\/\/|s3:\/\/[^/])/.test(given.from) || hasRemark(given.from)) {
    throw new StartupError(
      '--from must be a URL like file:///mnt/backup, with three slashes, or s3://bucket, without a space, ? or #.',
    )
  }
  if (hasPassword(given.from)) {
    throw new StartupError(
      '--from must have no key or password; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.',
    )
  }
  const { dataDirectory, s3 } = config
  if (given.from.startsWith('s3:') && !(s3.accessKeyId && s3.secretAccessKey)) {
    throw new StartupError(
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the keys of the bucket, and each BACKUP_S3_ setting to its value on the site that made the backup.',
    )
  }
  const keyText = readKey(dataDirectory, given.key)
  try {
    let prepared: PreparedShop = {
      refusedErasures: 0,
      hasFormerAccounts: false,
      ownerWithoutPassword: undefined,
    }
    const restored = await restoreFromTarget({
      target: openTarget(given.from.replace(/\/+$/, ''), s3),
      keyText,
      at: given.at,
      shop: given.shop,
      incarnation: given.incarnation,
      now: Date.now,
      dataDirectory,
      onStep: (sentence) => console.log(sentence),
      prepare: async (recovered) => {
        prepared = await prepareRestoredShop(recovered)
      },
    })
    const { timeZone, lostMs, taken, unreadableRemovals, skipped } = restored
    for (const sentence of describeRestored(restored, prepared, config)) console.log(sentence)
    if (taken.others.length > 0) console.log(describeTaken(taken, timeZone))
    if (skipped.length > 0) console.log(describeSkipped(skipped))
    if (lostMs) console.log(describeLoss(lostMs, timeZone))
    const left = prepared.refusedErasures + unreadableRemovals
    if (left > 0) {
      console.log(
        `IMPORTANT: ${left} customers were erased after this time, and their erasure could not be repeated. Erase these customers again by hand; your erasure requests contain their names.`,
      )
    }
  } catch (error) {
    throw toStartupError(error, given)
  }
}

/**
 * Returns the report of the restore, with one line for each restored item and one for each step that the owner should
 * take next.
 */
function describeRestored(
  restored: RestoredShop,
  prepared: PreparedShop,
  { dataDirectory, databaseUrl, hosted }: Config,
): string[] {
  const lines = [
    `\nRestored the shop ${describeReached(restored)}, with ${restored.files} files, into ${dataDirectory}.`,
    `Everybody is signed out. ${describeAccounts(prepared)}`,
    'Emails are paused until an owner sends them in the dashboard (Settings, Backup).',
    'Start the site with npm start and the same DATA_DIR. The site makes backups only if BACKUP_URL is set.',
  ]
  if (process.getuid?.() === 0) {
    lines.push(
      `The files belong to root. If another user runs the site, make this user the owner: chown -R USER ${dataDirectory}`,
    )
  }
  const other = databaseUrl ? 'DATABASE_URL' : hosted && 'SUPABASE_URL'
  if (other) {
    lines.push(
      `IMPORTANT: ${other} is set, so npm start opens that database and not the restored one. Remove ${other} from the settings first.`,
    )
  }
  return lines
}

function describeAccounts({ hasFormerAccounts, ownerWithoutPassword }: PreparedShop): string {
  const what =
    ownerWithoutPassword === undefined ? 'accounts, roles and passwords' : 'accounts and roles'
  const accounts = hasFormerAccounts
    ? `IMPORTANT: none of the latest owners exists in the restored state, so ${what} are those of the restored time. Switch off the accounts of people who have left.`
    : `${capitalized(what)} are the latest ones.`
  return ownerWithoutPassword === undefined
    ? accounts
    : `${accounts}\n${describeMissingPasswords(ownerWithoutPassword)}`
}

function describeReached({ takenMs, lastCommitMs, copiedMs, timeZone }: RestoredShop): string {
  if (takenMs !== undefined) return `as it was at ${describeMoment(takenMs, timeZone)}`
  if (lastCommitMs !== undefined)
    return `up to the last change at ${describeMoment(lastCommitMs, timeZone)}`
  const copied = copiedMs === undefined ? '' : ` of ${describeMoment(copiedMs, timeZone)}`
  return `as of its full copy${copied}, after which nothing was changed`
}

/** Formats a moment in the shop's time zone and in UTC. */
function describeMoment(ms: number, timeZone: string): string {
  return `${formatShopMoment(ms, timeZone)} (${new Date(ms).toISOString()})`
}

/**
 * Lists the restored incarnation (the backup history of one copy of the shop) and the other incarnations at the target,
 * in case the owner wanted to restore another incarnation.
 */
function describeTaken({ others, ...taken }: RestoredShop['taken'], timeZone: string): string {
  const describe = ({ id, fromMs, untilMs }: typeof taken) =>
    `  ${id} (from ${formatShopMoment(fromMs, timeZone)} to ${formatShopMoment(untilMs, timeZone)})`
  return [
    '\nThe target has several incarnations (backup series) of this shop: each restored shop that makes backups begins a new one.',
    `${describe(taken)}: restored now`,
    ...others.map(describe),
    'To restore another incarnation (backup series) of this shop, run the command with --incarnation ID and another empty folder.',
  ].join('\n')
}

function describeLoss([from, to]: readonly [number, number], timeZone: string): string {
  return `The backup was interrupted: no state between ${formatShopMoment(from, timeZone)} and ${formatShopMoment(to, timeZone)} can be restored.`
}

function readKey(dataDirectory: string, given: string | undefined): string {
  const path = given ?? join(dataDirectory, 'keys', backupKeyFile)
  if (given !== undefined && !existsSync(path))
    throw new StartupError(`The key file ${path} does not exist. Check the path after --key.`)
  if (!existsSync(path)) {
    throw new StartupError(
      `The backup is encrypted. Pass your copy of the key file with --key FILE, or put the copy at ${join(dataDirectory, 'keys', backupKeyFile)}. Without the key nobody can restore the backup.`,
    )
  }
  const text = readKeyFile(path)
  if (/^[\w-]{32,500}$/.test(text)) return text
  throw new StartupError(`${path} is not a key file of a backup, or it is damaged.`)
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      `The key file ${path} cannot be read (${code}). It must belong to the user that runs this command.`,
    )
  }
}

function toStartupError(error: unknown, { from }: FromUrl): unknown {
  // A StartupError means that the restored database could not be recovered, or that its schema could not be updated.
  if (error instanceof StartupError)
    return new StartupError(`${error.message} Nothing was restored.`)
  if (error instanceof RestoreError) return new StartupError(describeRefusal(error.detail))
  if (error instanceof TargetError) {
    const isBucket = from.startsWith('s3:')
    const hint = isBucket ? ' Check the AWS_ and BACKUP_S3_ settings; the shop had the same.' : ''
    return new StartupError(`${from} cannot be read: ${error.message}${hint} Nothing was restored.`)
  }
  return error
}
