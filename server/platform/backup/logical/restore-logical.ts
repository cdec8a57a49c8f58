import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { ObjectError, openSealedStore } from '#server/platform/backup/objects/sealed-store.ts'
import {
  prepareRecovered,
  type RestoredShop,
  type RestoreOptions,
} from '#server/platform/backup/restore/prepare-recovered.ts'
import {
  filesRoom,
  logicalRoom,
  refuseWithoutRoom,
} from '#server/platform/backup/restore/free-room.ts'
import { lineageOf } from '#server/platform/backup/restore/lineage.ts'
import { describeTaken } from '#server/platform/backup/restore/taken-incarnation.ts'
import { RestoreError } from '#server/platform/backup/restore/restore-error.ts'
import { writeFiles } from '#server/platform/backup/restore/restore-files.ts'
import { loadRecords } from '#server/platform/storage/restore-backup.ts'
import { openLogical, readLogicalEntries, type StoredLogical } from './open-logical-copy.ts'

/**
 * Restores the newest usable logical backup of `candidates` into the folder `aside`. Reports an unusable backup and
 * tries the previous one, because a logical backup can only be restored as a whole.
 */
export async function restoreLogical(
  options: RestoreOptions,
  candidates: readonly StoredLogical[],
  aside: string,
): Promise<RestoredShop> {
  let newest: ObjectError | undefined
  for (const stored of candidates) {
    try {
      await rm(aside, { recursive: true, force: true })
      return await restoreOne(options, stored, aside)
    } catch (error) {
      if (!(error instanceof ObjectError)) throw error
      refuseWrongKey(options, error)
      newest ??= error
      options.onStep(
        `The object ${error.object} is ${error.refusal.reason}, so this backup is unusable. Trying the previous backup …`,
      )
    }
  }
  throw new RestoreError({
    reason: 'unusable object',
    object: newest?.object ?? '',
    problem: newest?.refusal.reason ?? 'missing',
    lastGoodMs: undefined,
    incarnation: undefined,
    timeZone: 'UTC',
    lostMs: undefined,
  })
}

function refuseWrongKey({ key }: RestoreOptions, { refusal }: ObjectError): void {
  if (refusal.reason !== 'wrong-key') return
  throw new RestoreError({ reason: 'wrong key', own: key.fingerprint, made: refusal.fingerprint })
}

async function restoreOne(
  options: RestoreOptions,
  stored: StoredLogical,
  aside: string,
): Promise<RestoredShop> {
  const { target, key, onStep } = options
  const opened = await openLogical(openSealedStore(target, key), stored)
  const { store, copy, manifest } = opened
  const { takenMs, timeZone } = manifest
  onStep(`Restoring the nightly backup of ${formatShopMoment(takenMs, timeZone)} …`)
  const needed = logicalRoom(manifest) + filesRoom(manifest, copy)
  await refuseWithoutRoom(options.dataDirectory, needed)
  const folder = join(aside, 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  onStep('Copying the database …')
  const server = await startEmbeddedPostgres({ dataDirectory: aside })
  try {
    const { ownerUrl } = server
    await loadRecords(ownerUrl, manifest.migrations, () => readLogicalEntries(opened))
    onStep('Copying the files …')
    const files = await writeFiles(store, copy, new Map(Object.entries(manifest.files)), folder)
    const lineage = lineageOf(stored.copies, copy, options.incarnation !== undefined)
    const { folder: origin } = copy
    const recovered = { store, folder: origin, lineage, ownerUrl, aside, recoveredMs: takenMs }
    const unreadableRemovals = await prepareRecovered(options, recovered)
    return {
      takenMs,
      lastCommitMs: undefined,
      files,
      skipped: manifest.skippedFiles ?? [],
      timeZone,
      isEndOfLog: true,
      lostMs: undefined,
      taken: describeTaken(stored.copies, copy),
      unreadableRemovals,
    }
  } finally {
    await server.stop()
  }
}
