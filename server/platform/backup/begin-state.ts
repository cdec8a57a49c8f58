import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'
import type { BackupKey } from './objects/backup-key.ts'
import { type Incarnation, incarnationFolder } from './objects/object-names.ts'
import { type Origin, readOrigin } from './origin.ts'
import { type BackupState, type BaseReason, loadState } from './state.ts'

export type Cluster = Omit<Incarnation, 'id'> & {
  /**
   * PostgreSQL's version as a number; undefined for a managed PostgreSQL server, whose write-ahead log the site cannot
   * read.
   */
  readonly version?: number
}

/**
 * Reads the system identifier of the cluster, its timeline, and PostgreSQL's version. Every recovery changes the
 * timeline.
 */
export async function readCluster(ownerUrl: string): Promise<Cluster> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'backup' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const query = queryOf(client)
    const [row] = rowsAs<{ system_id: string; timeline: number; version: number }>(
      await query(
        `select system_identifier::text as system_id, timeline_id as timeline,
           current_setting('server_version_num')::integer as version
         from pg_control_system(), pg_control_checkpoint()`,
      ),
    )
    if (!row) throw new Error('pg_control_system returned no row')
    return { systemId: row.system_id, timeline: row.timeline, version: row.version }
  } finally {
    await client.end()
  }
}

/**
 * Continues with the stored state. Begins a new incarnation (backup history) instead when the target, the cluster, its
 * timeline or the key differs from the one in the stored state. Requests a new base backup when PostgreSQL was upgraded
 * after the newest base backup.
 */
export function continueState(
  dataDirectory: string,
  cluster: Cluster,
  key: BackupKey,
  { address, nowMs }: { address: string; nowMs: number },
): BackupState {
  const state = loadState(dataDirectory)
  if (!state) return beginState(cluster, key, address, 'switched on', readOrigin(dataDirectory))
  const origin = separateFrom(state.incarnation, nowMs)
  if (state.address !== address) return beginState(cluster, key, address, 'switched on', origin)
  const { systemId, timeline } = state.incarnation
  const { mark, sentUntilMs, brokenMs = sentUntilMs } = state
  if (systemId !== cluster.systemId || timeline !== cluster.timeline) {
    return { ...beginState(cluster, key, address, 'switched on', origin), mark, brokenMs }
  }
  if (state.keyFingerprint !== key.fingerprint) {
    return { ...beginState(cluster, key, address, 'another key', origin), mark, brokenMs }
  }
  // An earlier version of the site did not record the version of PostgreSQL, and PostgreSQL may have been upgraded
  // together with the site. A missing version therefore also causes a new base backup.
  const isUpgraded = state.base !== undefined && state.base.version !== cluster.version
  return isUpgraded ? { ...state, baseReason: state.baseReason ?? 'another PostgreSQL' } : state
}

/**
 * Returns the origin with which a new incarnation (backup history) refers to the earlier `incarnation`. The new
 * incarnation contains all changes of the earlier one, and has its own folder at the target.
 */
export function separateFrom(incarnation: Incarnation, nowMs: number): Origin {
  return { folder: incarnationFolder(incarnation), recoveredMs: nowMs, separatedMs: nowMs }
}

/** Returns the state of a backup that has not yet sent anything to the target. */
export function beginState(
  cluster: Cluster,
  key: BackupKey,
  address: string,
  baseReason: BaseReason,
  origin?: Origin,
): BackupState {
  return {
    format: 1,
    address,
    mark: undefined,
    incarnation: {
      systemId: cluster.systemId,
      timeline: cluster.timeline,
      id: randomBytes(6).toString('hex'),
    },
    ...(origin && { origin }),
    keyFingerprint: key.fingerprint,
    claim: 0,
    claimToken: '',
    claimedMs: 0,
    baseReason,
    chainFrom: undefined,
    chainUntil: undefined,
    nextSegment: undefined,
    lastSentMs: undefined,
    brokenMs: undefined,
    nextBase: 1,
    base: undefined,
    oldestMs: undefined,
    nextFile: 1,
    files: {},
    skippedFiles: {},
    removals: [],
    factsDigest: '',
  }
}
