import { createHash } from 'node:crypto'
import { StartupError } from '@local/postgres'
import type { Applied, Migration } from './migration-files.ts'

/** The migration of the first release. All earlier migrations were combined (squashed) into this migration. */
const release = '20261203130001'

/**
 * The last version of the site that contained the replaced migrations. That version can update every older database
 * to the state before `release`.
 */
const lastVersionBefore = 'd7d3f64'

/** The versions of the replaced migrations. */
const squashed = `
  20261121090000 20261121090100 20261121090200 20261121090300 20261121090320 20261121090400
  20261121090500 20261121090600 20261121090610 20261121090700 20261121090800 20261121090810
  20261121090820 20261121090830 20261121090840 20261121090850 20261121090860 20261122100000
  20261122100010 20261122100020 20261122110000 20261122110100 20261122110200 20261122120000
  20261122120010 20261122120020 20261122120030 20261122130000 20261122150000 20261122170000
  20261122180000 20261122180010 20261122190000 20261122190010 20261122190020 20261122190030
  20261122200000 20261122200010 20261122200020 20261123100000 20261123100100 20261123100200
  20261123100300 20261123100400 20261123100500 20261123100600 20261123100700 20261123210000
  20261123220000 20261123220100 20261123220200 20261123230000 20261124100000 20261124100100
  20261124100200 20261124100300 20261124100400 20261124100500 20261124105000 20261124105100
  20261124110000 20261124110100 20261124120000 20261124120100 20261124120200 20261125100000
  20261125100100 20261125110000 20261125110100 20261125110200 20261125120000 20261125120100
  20261125120200 20261125120300 20261125120400 20261126090000 20261126100000 20261126100100
  20261126100200 20261126100300 20261126100400 20261126100500 20261126110000 20261126300000
  20261126300100 20261126400000 20261126400100 20261127100000 20261127100100 20261127110000
  20261127120000 20261127130000 20261127140000 20261127150000 20261127155000 20261127160000
  20261127180000 20261128100000 20261129200000 20261129200100 20261129200200 20261130120000
  20261201100000 20261202085500 20261202085948 20261202090100 20261202090718 20261202091421
  20261202091551 20261202091700 20261202092050 20261202093506 20261202093710 20261202093910
  20261202093920 20261202093930 20261202094725 20261202095626 20261202100025 20261202100539
  20261202101158 20261202101511 20261202102412 20261202103238 20261202103407 20261202104538
  20261202105422 20261202111500 20261202111600 20261202111700 20261203100000 20261203110000
  20261203120000 20261203130000
`.match(/\d+/g)

/** The SHA-256 hash of the replaced migrations: one line for each, with its version and the checksum of its file. */
const squashedHash = '016c32ad416514fc963d52bc0b085277787c5412f0de101afa2d8ee12920e56d'

/**
 * Replaces the squashed migrations in the migration history `applied` of a database or a backup by the migration
 * `release`. Throws `StartupError` with instructions for any other history that is older than `release`.
 */
export function asSquashed(
  subject: 'database' | 'backup',
  applied: readonly Applied[],
  migrations: readonly Migration[],
): readonly Applied[] {
  const first = migrations.find(({ version }) => version === release)
  const newest = applied.at(-1)?.version
  const isOlder = newest !== undefined && newest < release
  if (!first || !isOlder) return applied
  if (isExactlySquashed(applied)) return [{ version: first.version, checksum: first.checksum }]
  throw new StartupError(
    `The ${subject} comes from an older version of the site, which this version cannot update: its newest migration is ${newest}. ${wayOut[subject]}`,
  )
}

const wayOut = {
  database: `Start version ${lastVersionBefore} on this database once (git checkout ${lastVersionBefore} && npm start), then this version. Nothing was changed.`,
  backup: `Restore the backup with version ${lastVersionBefore} (git checkout ${lastVersionBefore}), then start this version on the restored data. Nothing was changed.`,
}

function isExactlySquashed(applied: readonly Applied[]): boolean {
  const versions = applied.map(({ version }) => version)
  if (versions.join() !== squashed?.join()) return false
  if (applied.some(({ checksum }) => checksum === null)) return true
  const lines = applied.map(({ version, checksum }) => `${version} ${checksum}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex') === squashedHash
}
