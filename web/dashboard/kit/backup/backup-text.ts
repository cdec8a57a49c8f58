import type { Backup, Drill } from '#contracts/backup.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'

/** Why a drill could not compare the backup, as the end of a sentence. */
const reasons: Readonly<Record<string, string>> = {
  'no base': 'there is no full copy yet',
  'not sent': 'the target did not receive the newest changes',
  'no room': 'the disk has no room for a restored copy',
  damaged: 'an object of the backup is missing or damaged',
  stopped: 'the shop was busy, so the drill ended',
  full: 'the target is full',
  refused: 'the target refused access',
  unreachable: 'the target did not answer',
  emptied: 'the backup at the target is gone, or its disk is not mounted',
}

/** The last proven drill, if one of the newest drills was proven. */
export const lastProven = (backup: Pick<Backup, 'drills'>): Drill | undefined =>
  backup.drills.find(({ outcome }) => outcome === 'proven')

/** What a drill found, as a sentence without its end. */
export function describeDrill(drill: Drill): string {
  const object = drill.object === null ? '' : ` (${drill.object})`
  if (drill.outcome === 'not_drilled')
    return (reasons[drill.reason ?? ''] ?? 'the drill failed') + object
  if (drill.outcome === 'differs') return `the copy differs: ${drill.differing.join(', ')}${object}`
  return `${drill.tables} tables, ${count(drill.rows)} rows, ledger to the cent, ${count(drill.checkedFiles)} of ${count(drill.files)} files`
}

const count = (number: number | null) => number?.toLocaleString('en-US') ?? '0'

/** Why the shop is not protected now; undefined while nothing is wrong. The first sentence of a warning. */
export function backupProblem(backup: Backup): string | undefined {
  const [last] = backup.drills
  if (backup.brokenSince !== null)
    return `Backups have stopped: changes since ${formatShortStamp(backup.brokenSince)} are only on this machine.`
  if (backup.problem && backup.state === 'failed') return backup.problem.message
  if (last && last.outcome !== 'proven') return capitalize(`${describeDrill(last)}.`)
  return undefined
}

/** What still has to be done before the backup counts; in the order of urgency. */
export function missingProtection(backup: Backup): string | undefined {
  if (backup.state === 'off')
    return 'Backups are not set up. If this machine burns, the records are gone.'
  if (backup.isOnSameDisk)
    return 'The backup is on the disk of the shop, so it does not protect it.'
  if (backup.key?.confirmedAt === null)
    return 'The only key of the backup is on this machine. Keep a copy elsewhere.'
  if (!lastProven(backup)) return 'The shop is not protected yet: no backup is proven.'
  return undefined
}

/** The seconds of changes that only this machine has; undefined before the first full copy. */
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

/** A size in words: '820 MB', '3.1 GB'. Less than a megabyte counts as one. */
export function formatBytes(bytes: number): string {
  const megabytes = Math.max(1, Math.round(bytes / 1_000_000))
  return megabytes < 1000 ? `${megabytes} MB` : `${(megabytes / 1000).toFixed(1)} GB`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
