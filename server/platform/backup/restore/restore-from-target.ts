import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { markDataDirectory } from '#server/platform/database/data-directory.ts'
import { ObjectError } from '#server/platform/backup/objects/sealed-store.ts'
import { type LatestFacts, readLatestFacts } from '#server/platform/backup/latest-facts.ts'
import { readRemovals, type Removal } from '#server/platform/backup/removals.ts'
import {
  missingSegment,
  openCopy,
  type OpenCopyOptions,
  type OpenedCopy,
  olderThan,
} from './open-copy.ts'
import { type Recovered, recoverCluster } from './recover-cluster.ts'
import { RestoreError } from './restore-error.ts'
import { findFiles, writeFiles } from './restore-files.ts'
import { unpackBase } from './unpack-base.ts'
import { writeLog } from './write-log.ts'

export type RestoreOptions = OpenCopyOptions & {
  readonly dataDirectory: string
  /** Called at the start of each step with a sentence for the owner. */
  readonly onStep: (sentence: string) => void
  /** Prepares the recovered database, before anything can start it as the shop. */
  readonly prepare: (recovered: RecoveredDatabase) => Promise<void>
}

export type RecoveredDatabase = {
  readonly ownerUrl: string
  /** The folder that becomes the data directory. */
  readonly dataDirectory: string
  /** The restored database contains every change up to this moment. */
  readonly recoveredMs: number
  /** All erasures of customers at the target, including those after that moment. */
  readonly removals: readonly Removal[]
  /** Undefined for a backup without them. */
  readonly facts: LatestFacts | undefined
}

export type RestoredShop = {
  readonly lastCommitMs: number | undefined
  readonly files: number
  readonly timeZone: string
  /** Whether the whole log at the target was recovered. */
  readonly isEndOfLog: boolean
  readonly lostMs: readonly [from: number, to: number] | undefined
  /** The number of erasures that another key encrypts, so that they could not be repeated. */
  readonly unreadableRemovals: number
}

/** The folder of an unfinished restore. A site refuses to start in a data directory that contains it. */
const asideName = '.restoring'

/**
 * Restores a shop from a target into an empty data directory. Moves the files to their final place only when everything
 * is complete. Throws `RestoreError` for a problem that the owner can solve.
 */
export async function restoreFromTarget(options: RestoreOptions): Promise<RestoredShop> {
  const dataDirectory = resolve(options.dataDirectory)
  await refuseUsedFolder(dataDirectory)
  const opened = await openCopy(options)
  const aside = join(dataDirectory, asideName)
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true, mode: 0o700 })
  try {
    const restored = await restoreAside(options, opened, aside)
    await moveIntoPlace(aside, dataDirectory)
    return restored
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

const harmless = /^(lost\+found|\.gitkeep|\.DS_Store|\.restoring)$/

async function refuseUsedFolder(dataDirectory: string): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const entries = await readdir(dataDirectory)
  const keys = entries.includes('keys') ? await readdir(join(dataDirectory, 'keys')) : []
  const others = [
    ...entries.filter((entry) => entry !== 'keys' && !harmless.test(entry)),
    ...keys.filter((key) => key !== 'backup.key').map((key) => `keys/${key}`),
  ]
  if (others.length > 0) throw new RestoreError({ reason: 'folder in use', entries: others })
}

async function restoreAside(
  { target, onStep, prepare }: RestoreOptions,
  opened: OpenedCopy,
  aside: string,
): Promise<RestoredShop> {
  const { manifest, atMs } = opened
  const end = await copyAside(opened, aside, onStep)
  onStep('Recovering the database …')
  const recovered = await recoverCluster(aside, { atMs })
  try {
    await refuseShortLog(opened, recovered, end.unusable)
    const { lastCommitMs, isEndOfLog, server } = recovered
    const recoveredMs = lastCommitMs ?? manifest.endedMs
    const { systemId } = opened.copy.incarnation
    const { removals, unreadable } = await readRemovals(target, opened.store, systemId)
    const facts = await readLatestFacts(target, opened.store, systemId)
    const { ownerUrl } = server
    const folder = join(aside, 'files')
    await prepare({ ownerUrl, dataDirectory: folder, recoveredMs, removals, facts })
    const { timeZone, lostMs } = manifest
    return {
      lastCommitMs,
      files: end.files,
      timeZone,
      isEndOfLog,
      lostMs,
      unreadableRemovals: unreadable,
    }
  } finally {
    await recovered.server.stop()
  }
}

type Unusable = Awaited<ReturnType<typeof writeLog>>

async function copyAside(
  opened: OpenedCopy,
  aside: string,
  onStep: (sentence: string) => void,
): Promise<{ files: number; unusable: Unusable }> {
  const { store, copy, manifest, segments, atMs } = opened
  const home = join(aside, 'postgresql')
  try {
    onStep('Copying the full copy of the database …')
    await unpackBase(store, opened, manifest, home)
    onStep(`Copying ${segments.length} pieces of the log …`)
    const unusable = await writeLog(store, segments, join(home, 'cluster'))
    if (unusable && unusable.segment <= manifest.stopSegment) throw unusable.error
    onStep('Copying the files …')
    const folder = join(aside, 'files')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = await writeFiles(
      store,
      copy,
      await findFiles(store, copy, manifest, atMs),
      folder,
    )
    return { files, unusable }
  } catch (error) {
    throw error instanceof ObjectError ? damaged(opened, error, olderThan(opened)) : error
  }
}

function damaged(opened: OpenedCopy, error: ObjectError, lastGoodMs: number | undefined) {
  return new RestoreError({
    reason: 'unusable object',
    object: error.object,
    problem: error.refusal.reason,
    lastGoodMs,
    timeZone: opened.manifest.timeZone,
    lostMs: undefined,
  })
}

/** Refuses a recovery that ended at an unusable piece of the log, before the requested moment. */
async function refuseShortLog(
  opened: OpenedCopy,
  { lastCommitMs, isEndOfLog }: Recovered,
  unusable: Unusable,
): Promise<void> {
  const { manifest, atMs, missing } = opened
  if (!isEndOfLog || (!unusable && missing === undefined)) return
  const baseMs = wholeSecondAfter(manifest.endedMs)
  const reachedMs = Math.max(baseMs, wholeSecondAfter(lastCommitMs ?? 0))
  if (atMs !== undefined && atMs <= reachedMs) return
  // People type whole seconds, so the time is rounded down to the second before the last recovered commit.
  const lastGoodMs = Math.max(baseMs, Math.floor((lastCommitMs ?? 0) / 1000) * 1000)
  throw unusable
    ? damaged(opened, unusable.error, lastGoodMs)
    : await missingSegment(opened, lastGoodMs)
}

const wholeSecondAfter = (ms: number) => Math.ceil(ms / 1000) * 1000

/** The cluster is moved after the other files, and the marker of a data directory is written last. */
async function moveIntoPlace(aside: string, dataDirectory: string): Promise<void> {
  const files = join(aside, 'files')
  for (const entry of await readdir(files)) {
    if (entry === 'keys') await moveKeys(join(files, 'keys'), join(dataDirectory, 'keys'))
    else await rename(join(files, entry), join(dataDirectory, entry))
  }
  await rename(join(aside, 'postgresql'), join(dataDirectory, 'postgresql'))
  await rm(aside, { recursive: true, force: true })
  markDataDirectory(dataDirectory)
}

/** The key of the backup may be in the folder already. */
async function moveKeys(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const key of await readdir(from)) await rename(join(from, key), join(to, key))
}
