import { openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import { type OpenCopyOptions, readMoment } from '#server/platform/backup/restore/open-copy.ts'
import { readTimeZone } from '#server/platform/backup/restore/read-manifest.ts'
import { RestoreError } from '#server/platform/backup/restore/restore-error.ts'
import type { StoredLogical } from './open-logical-copy.ts'

/**
 * Returns the logical backups that ended before the moment that the owner typed, newest first. Returns all logical
 * backups when the owner typed no moment. Throws `RestoreError` when the moment is before the end of the first
 * backup.
 */
export async function chooseLogical(
  options: OpenCopyOptions,
  stored: readonly StoredLogical[],
): Promise<readonly StoredLogical[]> {
  if (options.at === undefined) return stored
  const store = openSealedStore(options.target, options.key)
  const copies = [...new Set(stored.map(({ copy }) => copy))]
  const timeZone = await readTimeZone(store, copies)
  const atMs = readMoment(options, timeZone) ?? options.now()
  const earlier = stored.filter(({ base }) => base.endedMs <= atMs)
  if (earlier.length > 0) return earlier
  const firstMs = Math.min(...stored.map(({ base }) => base.endedMs))
  throw new RestoreError({ reason: 'before the first copy', firstMs, timeZone })
}
