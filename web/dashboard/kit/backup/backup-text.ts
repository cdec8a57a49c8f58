import { capitalized } from '#domain/text/capitalized.ts'
import type { Backup, Drill } from '#contracts/backup.ts'
import { formatBytes } from '#domain/backup/format-bytes.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatShortStamp, shopClock } from '#domain/calendar/shop-time.ts'

/**
 * The reasons why a restore drill (a test that restores the backup) could not compare the restored data, each as the
 * end of a sentence.
 */
const reasons: Readonly<Record<string, string>> = {
  'no base': 'there is no full copy yet',
  'newest backup missing': 'the newest nightly backup is missing at the target',
  'not sent': 'the target did not receive the newest changes',
  'no room': 'the disk has no room for a restored copy',
  damaged: 'an object of the backup is missing or damaged',
  stopped: 'the shop was busy, so the drill ended',
  full: 'the target is full',
  refused: 'the target refused access',
  unreachable: 'the target did not answer',
  emptied: 'the backup at the target is gone, or its disk is not mounted',
}

/**
 * Returns the newest restore drill that proved the backup (outcome 'proven'): the restored data was correct. Undefined
 * if the list has no such drill.
 */
export const lastProven = (backup: Pick<Backup, 'drills'>): Drill | undefined =>
  backup.drills.find(({ outcome }) => outcome === 'proven')

/** Describes the result of a restore drill, as a sentence without its period. */
export function describeDrill(drill: Drill): string {
  const object = drill.object === null ? '' : ` (${drill.object})`
  if (drill.outcome === 'not_drilled')
    return (reasons[drill.reason ?? ''] ?? 'the drill failed') + object
  if (drill.outcome === 'differs') return `the copy differs: ${drill.differing.join(', ')}${object}`
  return `${drill.tables} tables, ${count(drill.rows)} rows, ledger to the cent, ${countFiles(drill)}`
}

/**
 * States how many files a restore drill compared: '200 of 1,200 files'. A drill reads a sample of the files, and once a
 * month all files.
 */
const countFiles = ({ checkedFiles, files }: Drill) =>
  checkedFiles === files
    ? `all ${count(files)} files`
    : `${count(checkedFiles)} of ${count(files)} files`

const count = (number: number | null) => number?.toLocaleString('en-US') ?? '0'

/** The texts of a warning about the backup: the title, and the details or the next step for the owner. */
type BackupWarningText = { readonly title: string; readonly text?: string }

/**
 * Returns the warning that explains why the backup does not protect the shop now; undefined if the backup protects the
 * shop.
 */
export function backupProblem(backup: Backup): BackupWarningText | undefined {
  const { badNights, brokenSince, problem, state } = backup
  const [last] = backup.drills
  if (brokenSince !== null) return brokenText(backup, brokenSince)
  const nights = badNights > 1 ? `No proven backup for ${badNights} nights` : undefined
  if (problem && state === 'failed') {
    const text = waitingText(backup, problem.since)
    return nights
      ? { title: nights, text: `${problem.message} ${text}` }
      : { title: problem.message, text }
  }
  if (!last || last.outcome === 'proven') return undefined
  const why = capitalized(`${describeDrill(last)}.`)
  return nights ? { title: nights, text: why } : { title: why }
}

function waitingText({ waitingMegabytes }: Backup, since: string): string {
  const waits =
    waitingMegabytes > 0 ? ` Changes wait here: ${formatMegabytes(waitingMegabytes)}.` : ''
  return `Since ${formatShortStamp(since)}.${waits} Unsent changes are sent automatically when the target responds.`
}

/**
 * The warning about a gap in the backed-up write-ahead log, for example because this machine has no space left for
 * unsent changes. Until the next full backup, changes made since the gap cannot be restored.
 */
function brokenText({ problem, waitingLimitMegabytes }: Backup, since: string): BackupWarningText {
  const onlyHere = `The shop keeps working. Changes since ${formatShortStamp(since)} are only on this machine.`
  return problem
    ? {
        title: `Backups have stopped: at most ${formatMegabytes(waitingLimitMegabytes)} of changes can wait on this machine.`,
        text: `${onlyHere} A new full copy is made when the target answers.`,
      }
    : { title: 'A new full copy of the database is being made.', text: onlyHere }
}

/** States, as sentences, what is still missing before the backup protects the shop; empty if nothing is missing. */
export function missingProtection(backup: Backup, nowMs: number): readonly string[] {
  if (backup.state === 'off' && backup.isHosted)
    return ['This site makes no backup. Only the backups of Supabase protect the records.']
  if (backup.state === 'off')
    return ['Backups are not set up. If this machine fails, the records are lost.']
  const missing: string[] = []
  if (!backup.isProven) missing.push(notProtectedText(backup))
  if (backup.isOnSameDisk)
    missing.push('The backup and the records are on one disk. If this disk fails, both are lost.')
  if (backup.key?.confirmedAt === null)
    missing.push('The only key of the backup is on this machine. Keep a copy elsewhere.')
  if (backup.skippedFileCount > 0) missing.push(skippedText(backup))
  if (missing.length === 0 && backup.state === 'late') missing.push(lateText(backup, nowMs))
  return missing
}

/** Names the first few files that the storage target lacks, and counts the others. */
function skippedText({ skippedFiles, skippedFileCount }: Backup): string {
  const shown = skippedFiles
    .slice(0, shownFiles)
    .map(({ path, problem }) => `${path} (${skipReasons[problem]})`)
  const others = skippedFileCount - shown.length
  const more = others > 0 ? ` and ${count(others)} more` : ''
  return `The backup lacks files of DATA_DIR: ${shown.join(', ')}${more}.`
}

const shownFiles = 3
const skipReasons = {
  'too large': 'larger than 2 GiB',
  unreadable: 'the site cannot read it',
}

function notProtectedText({ protectedUntil }: Backup): string {
  const what =
    protectedUntil === null
      ? 'a full copy has to be made'
      : 'no restore drill has proven the full copy'
  return `The shop is not protected yet: ${what}.`
}

/**
 * Explains why the last backup that a restore drill proved is too old: the storage target lacks recent changes, or no
 * restore drill (a test that restores the backup) has run for two nights.
 */
function lateText(backup: Backup, nowMs: number): string {
  const lost = lostSeconds(backup, nowMs)
  if (lost === undefined) return 'The backup target lacks some changes.'
  const promised = backup.isNightly ? promisedNightlySeconds : promisedSeconds
  return lost > promised
    ? `The target lacks the changes of the last ${formatSeconds(lost)}.`
    : 'No restore drill has run for two nights.'
}

/**
 * The maximum time, in seconds, after which the storage target must have received a change (docs/product.md 10.5.2).
 */
export const promisedSeconds = 120
const promisedNightlySeconds = 26 * 3600

/** An instant in shop time: 'today, 3:10 AM', or 'Nov 22, 3:10 AM'. */
export function formatMoment(iso: string, today: string): string {
  const { date, time } = shopClock(new Date(iso))
  return date === today ? `today, ${formatTime(time)}` : formatShortStamp(iso)
}

/**
 * States the time of the newest change that the storage target has received, and when a restore drill (a test that
 * restores the backup) last succeeded. The Today page shows this text as its last line while the backup has no problem.
 */
export function describeProtection(backup: Backup, today: string, nowMs: number): string {
  const proven = lastProven(backup)
  if (!proven) return ''
  const moment = formatMoment(proven.endedAt, today)
  if (backup.waitingMegabytes > 0 && backup.problem !== null)
    return `Last proven backup ${moment}. ${formatMegabytes(backup.waitingMegabytes)} of changes wait on this machine.`
  const lost = lostSeconds(backup, nowMs)
  return `Backup proven ${moment}.${lost === undefined ? '' : ` The newest change at the target is ${formatSeconds(lost)} old.`}`
}

/**
 * Returns how many seconds ago the newest change in the backup was made. If this machine failed now, later changes
 * would be lost. Returns undefined before the first full backup.
 */
export function lostSeconds({ protectedUntil }: Backup, nowMs: number): number | undefined {
  if (protectedUntil === null) return undefined
  return Math.max(0, Math.round((nowMs - Date.parse(protectedUntil)) / 1000))
}

/** A duration in words: '41 s', '1 min 12 s', '3 h'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds >= 7200) return `${Math.round(seconds / 3600)} h`
  const rest = seconds % 60
  return rest === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${rest} s`
}

/** A number of megabytes as text. */
export const formatMegabytes = (megabytes: number) => formatBytes(megabytes * 1_000_000)
