import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { backupKeyFile, parseBackupKey } from '#server/platform/backup/objects/backup-key.ts'
import { ObjectError } from '#server/platform/backup/objects/sealed-store.ts'
import { chooseLogical } from '#server/platform/backup/logical/choose-logical.ts'
import { listLogical } from '#server/platform/backup/logical/open-logical-copy.ts'
import { restoreLogical } from '#server/platform/backup/logical/restore-logical.ts'
import { clusterRoom, filesRoom, isDiskFull, refuseWithoutRoom } from './free-room.ts'
import { chooseShop, openCopy } from './open-copy.ts'
import type { OpenedCopy } from './opened-copy.ts'
import { moveIntoPlace, refuseUsedFolder } from './empty-folder.ts'
import { prepareRecovered, type RestoredShop, type RestoreOptions } from './prepare-recovered.ts'
import { recoverCluster } from './recover-cluster.ts'
import { RestoreError } from './restore-error.ts'
import { refuseHole, unusableObject } from './unusable-object.ts'
import { findFiles, writeFiles } from './restore-files.ts'
import { unpackBase } from './unpack-base.ts'
import { writeLog } from './write-log.ts'

/** The folder of an unfinished restore. The site refuses to start in a data directory that contains this folder. */
const asideName = '.restoring'

/** The options of a restore, in which `keyText` (the content of the key file) replaces the parsed key. */
type Options = Omit<RestoreOptions, 'key'> & { readonly keyText: string }

/**
 * Restores a shop from a target into an empty data directory. Moves the files to their final place only when the
 * restore is complete. Throws `RestoreError` for a problem that the owner can solve.
 */
export async function restoreFromTarget({ keyText, ...given }: Options): Promise<RestoredShop> {
  const options = { ...given, key: parseBackupKey(keyText) }
  const dataDirectory = resolve(options.dataDirectory)
  await refuseUsedFolder(dataDirectory)
  const restore = await chooseRestore(options)
  const aside = join(dataDirectory, asideName)
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true, mode: 0o700 })
  try {
    const restored = await restore(aside)
    // The key is copied before the folder becomes a valid data directory, because a shop without the key would create
    // a new one.
    openKeyFiles(join(aside, 'files')).write(backupKeyFile, keyText.trim())
    await moveIntoPlace(aside, dataDirectory)
    return restored
  } catch (error) {
    throw isDiskFull(error) ? new RestoreError({ reason: 'disk full' }) : error
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/**
 * Determines whether the target has logical backups of the shop (without a write-ahead log) or base backups of its
 * PostgreSQL cluster.
 */
async function chooseRestore(
  options: RestoreOptions,
): Promise<(aside: string) => Promise<RestoredShop>> {
  const logical = await listLogical(options.target, await chooseShop(options), options.incarnation)
  if (logical.length === 0) {
    const opened = await openCopy(options)
    const { manifest, copy } = opened
    await refuseWithoutRoom(options.dataDirectory, clusterRoom(opened) + filesRoom(manifest, copy))
    return (aside) => restoreAside(options, opened, aside)
  }
  const candidates = await chooseLogical(options, logical)
  return (aside) => restoreLogical(options, candidates, aside)
}

async function restoreAside(
  options: RestoreOptions,
  opened: OpenedCopy,
  aside: string,
): Promise<RestoredShop> {
  const { manifest, atMs } = opened
  const { onStep } = options
  const end = await copyAside(opened, aside, onStep)
  onStep('Recovering the database …')
  const addLog = () => addLaterLog(opened, aside, end)
  const recovered = await recoverCluster(aside, { atMs }, { addLog })
  try {
    const { lastCommitMs, isEndOfLog, server } = recovered
    const refusal = isEndOfLog && (await refuseHole(opened, end.unusable, lastCommitMs))
    if (refusal) throw refusal
    const unreadableRemovals = await prepareRecovered(options, {
      store: opened.store,
      folder: opened.copy.folder,
      lineage: opened.lineage,
      ownerUrl: server.ownerUrl,
      aside,
      recoveredMs: lastCommitMs ?? manifest.endedMs,
    })
    const { timeZone, lostMs, endedMs } = manifest
    return {
      lastCommitMs,
      copiedMs: endedMs,
      files: end.files,
      skipped: end.skipped,
      timeZone,
      isEndOfLog,
      lostMs,
      taken: opened.taken,
      unreadableRemovals,
    }
  } finally {
    await recovered.server.stop()
  }
}

type CopiedAside = Pick<RestoredShop, 'files' | 'skipped'> & {
  unusable: Awaited<ReturnType<typeof writeLog>>
}

/**
 * Adds the segments of the write-ahead log that were archived late. Returns false when the target has no such segments,
 * or when an earlier segment is unusable.
 */
async function addLaterLog(
  { store, later }: OpenedCopy,
  aside: string,
  end: CopiedAside,
): Promise<boolean> {
  if (end.unusable || later.length === 0) return false
  end.unusable = await writeLog(store, later, join(aside, 'postgresql', 'cluster'))
  return true
}

async function copyAside(
  opened: OpenedCopy,
  aside: string,
  onStep: (sentence: string) => void,
): Promise<CopiedAside> {
  const { store, copy, manifest, segments, atMs } = opened
  const home = join(aside, 'postgresql')
  try {
    onStep('Copying the base backup of the database …')
    await unpackBase(store, opened, manifest, home)
    onStep(
      `Copying ${segments.length} ${segments.length === 1 ? 'segment' : 'segments'} of the write-ahead log …`,
    )
    const unusable = await writeLog(store, segments, join(home, 'cluster'))
    if (unusable && unusable.segment <= manifest.stopSegment) throw unusable.error
    onStep('Copying the files …')
    const folder = join(aside, 'files')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { files: found, skipped } = await findFiles(store, copy, manifest, atMs)
    const files = await writeFiles(store, copy, found, folder)
    return { files, skipped, unusable }
  } catch (error) {
    throw error instanceof ObjectError ? await unusableObject(opened, error) : error
  }
}
