import { readFile, rm } from 'node:fs/promises'
import { type BackupContext, changeState, nameIn } from '#server/platform/backup/backup-context.ts'
import { objectNames } from '#server/platform/backup/objects/object-names.ts'
import { sendChangedFiles } from '#server/platform/backup/files/send-files.ts'
import { breakChain, isWanted } from './chain.ts'
import { segmentAfter } from './segments.ts'
import { listSpool, spoolLimit, type SpooledSegment, tidySpool } from './spool.ts'

/**
 * Sends the write-ahead log segments in the spool (the folder of unsent segments) to the target. Sends the new files of
 * the data directory first, so that the target has each file before the database row that refers to the file. Removes
 * sent and unneeded segments from the spool. Throws `TargetError` when the target does not store a segment.
 */
export async function sendSegments(context: BackupContext, signal: AbortSignal): Promise<void> {
  const segments = await listSpool(context.spool)
  if (segments.length > 0) await sendChangedFiles(context, signal)
  for (const spooled of segments) {
    if (signal.aborted) return
    breakAtGap(context, spooled.segment)
    if (isWanted(context.state, spooled.segment)) await sendSegment(context, spooled)
    await rm(spooled.path, { force: true })
  }
}

async function sendSegment(context: BackupContext, spooled: SpooledSegment): Promise<void> {
  const { segment, path, archivedMs } = spooled
  const name = nameIn(context, objectNames.segment(segment, archivedMs))
  await context.store.write(name, await readFile(path))
  if (segment === context.state.nextSegment) {
    changeState(context, { nextSegment: segmentAfter(segment), lastSentMs: archivedMs })
  }
}

/**
 * Discards the chain of segments when a segment is missing, because a restore cannot use the segments after the missing
 * one. Segments are missing if PostgreSQL ran for a time without the backup.
 */
function breakAtGap(context: BackupContext, segment: string): void {
  const { state } = context
  const { nextSegment } = state
  if (nextSegment !== undefined && segment > nextSegment && isWanted(state, segment)) {
    breakChain(context, undefined, undefined)
  }
}

/**
 * Limits the size of the spool (the folder of unsent segments), even while the target does not respond. At the limit,
 * the chain of segments ends with the segments in the spool, and later segments are deleted. `keptMs` returns a moment
 * before which every change is in the write-ahead log up to and including the given segment.
 */
export async function boundSpool(
  context: BackupContext,
  limitMegabytes: number,
  keptMs: (segment: string) => number | undefined,
): Promise<void> {
  await tidySpool(context.spool)
  const segments = await listSpool(context.spool)
  for (const { segment, path } of segments) {
    if (!isWanted(context.state, segment)) await rm(path, { force: true })
  }
  const wanted = segments.filter(({ segment }) => isWanted(context.state, segment))
  const bytes = wanted.reduce((sum, { bytes }) => sum + bytes, 0)
  if (bytes > (await spoolLimit(context.spool, limitMegabytes))) {
    const last = wanted.at(-1)?.segment
    breakChain(context, last, last === undefined ? undefined : keptMs(last))
  }
}
