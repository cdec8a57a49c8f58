import { formatBytes } from '#domain/backup/format-bytes.ts'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import type { RestoreRefusal } from '#server/platform/backup/restore/restore-error.ts'

/** Returns the message for the owner that explains why a restore was refused. */
export function describeRefusal(detail: RestoreRefusal): string {
  return `${sentenceOf(detail)} Nothing was restored.`
}

function sentenceOf(detail: RestoreRefusal): string {
  switch (detail.reason) {
    case 'folder in use':
      return `${detail.folder} is not empty (${detail.entries.slice(0, 3).join(', ')}). Restore into an empty folder: DATA_DIR=./restored npm run restore -- …`
    case 'unusable folder':
      return `DATA_DIR ${detail.folder} cannot be used (${detail.code}). It must be a folder that this user may write to.`
    case 'no room':
      return `Not enough disk space: the restore needs ${formatBytes(detail.neededBytes)}, and the disk of ${detail.folder} has ${formatBytes(detail.freeBytes)} free. Make room there, or set DATA_DIR to an empty folder on a larger disk.`
    case 'disk full':
      return 'The disk of DATA_DIR became full. The partly restored files were deleted. Make room there, or set DATA_DIR to an empty folder on a larger disk.'
    case 'nothing there':
      return 'There is no complete backup of a shop at this address. Type the address exactly as it was in BACKUP_URL.'
    case 'several shops':
      return `The address has backups of several shops. Choose one: --shop ${detail.shops.join(' or --shop ')}.`
    case 'no such shop':
      return `The address has no backup of a shop with this number. Choose one: --shop ${detail.shops.join(' or --shop ')}.`
    case 'no such incarnation':
      return `The target has no incarnation (backup series) with this id. Choose one: --incarnation ${detail.ids.join(' or --incarnation ')}.`
    case 'invalid time':
      return "--at must be a time of the shop like '2026-12-01 14:05:00'."
    case 'skipped time':
      return 'The clock of the shop skips this time: daylight-saving time begins. Choose a time an hour earlier or later.'
    case 'ambiguous time': {
      const [first, second] = detail.momentsMs.map((ms) => formatShopMoment(ms, detail.timeZone))
      return `The clock of the shop shows this time twice: daylight-saving time ends. Choose the first with --at '${first}' or the second with --at '${second}'.`
    }
    case 'future':
      return `This time is in the future: at the shop it is now ${formatShopMoment(detail.nowMs, detail.timeZone)}. Choose an earlier time.`
    case 'before the first copy':
      return `The backup begins after this time. The earliest time is --at '${formatShopMoment(wholeSecondAfter(detail.firstMs), detail.timeZone)}'.`
    case 'wrong key':
      return `This key file does not open the backup. Its fingerprint is ${detail.own}; the backup was made with the key file that has the fingerprint ${detail.made}.`
    case 'unusable object':
      return describeObject(detail)
  }
}

const wholeSecondAfter = (ms: number) => Math.ceil(ms / 1000) * 1000

const problems = {
  missing: 'is missing',
  damaged: 'is damaged',
  'wrong-key': 'is encrypted with another key',
}

function describeObject(detail: Extract<RestoreRefusal, { reason: 'unusable object' }>): string {
  const { object, problem, lastGoodMs, incarnation, lostMs, timeZone } = detail
  const moment = (ms: number) => formatShopMoment(ms, timeZone, true)
  const named = incarnation === undefined ? '' : ` --incarnation ${incarnation}`
  const loss = lostMs
    ? ` The backup was interrupted: no state between ${moment(lostMs[0])} and ${moment(lostMs[1])} can be restored.`
    : ''
  const remedy =
    lastGoodMs === undefined
      ? 'No state of the shop can be restored without this object. If the target keeps earlier versions of its objects, or a copy of the target exists, restore the object from there.'
      : `To restore the latest state that does not need this object, use --at '${moment(lastGoodMs)}'${named}.`
  return `The object ${object}, which the restore needs, ${problems[problem]}.${loss} ${remedy}`
}
