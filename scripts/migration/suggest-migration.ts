import { encodeId, extract, isDestructiveAction, parseId, plan } from '@supabase/pg-delta'
import type { Pool } from 'pg'
import { restoreSource } from './restore-source.ts'

export type Suggestion = {
  /** The statements that change the current database into the wanted database; empty when both databases are equal. */
  readonly sql: string
  /** The suggested statements that delete columns, tables or rows. */
  readonly destructive: readonly string[]
  /**
   * Pairs of a dropped and a created object that may be one renamed object. Each pair is written as `from=to`, the
   * format of the parameter `accepted`.
   */
  readonly renameCandidates: readonly string[]
}

/**
 * Suggests the statements that change the database `current` into `wanted`. `accepted` lists the renames to apply, and
 * `schema` contains the statements of the schema files. The text of these statements replaces the function definitions
 * that PostgreSQL prints. A developer reads the suggestion; the comparison by `describe-schema.ts` shows whether the
 * suggestion is complete.
 */
export async function suggestMigration(
  current: Pool,
  wanted: Pool,
  accepted: readonly string[] = [],
  schema: readonly { readonly text: string }[] = [],
): Promise<Suggestion> {
  const [source, target] = await Promise.all([extract(current), extract(wanted)])
  const { preamble, actions, renameCandidates } = plan(source.factBase, target.factBase, {
    renames: 'prompt',
    acceptRenames: accepted.map(toRename),
  })
  const settings = preamble.map(({ name, value }) => `set local ${name} = ${value};\n`)
  // Omits statements that make `postgres` the owner of an object: the role that runs a migration owns what it creates,
  // and may have another name.
  const statements = actions
    .filter(({ sql }) => !/^ALTER [^;]* OWNER TO "?postgres"?;?\s*$/.test(sql))
    .map(({ sql }) => `${restoreSource(sql, schema).trimEnd().replace(/;$/, '')};\n`)
  return {
    sql: actions.length > 0 ? [...settings, ...statements].join('\n') : '',
    destructive: actions.filter((action) => isDestructiveAction(action)).map(({ sql }) => sql),
    renameCandidates: renameCandidates
      .map(({ from, to }) => `${encodeId(from)}=${encodeId(to)}`)
      .filter((candidate) => !accepted.includes(candidate)),
  }
}

function toRename(candidate: string) {
  const [from = '', to = ''] = candidate.split('=')
  return { from: parseId(from), to: parseId(to) }
}

/**
 * Returns the version number of a new migration: the time `now` in UTC, or a later time if one of the existing
 * `versions` is not earlier than `now`.
 */
export function nextVersion(now: Date, versions: readonly string[]): string {
  const newest = versions.toSorted().at(-1) ?? ''
  const stamp = toStamp(now)
  if (stamp > newest) return stamp
  return toStamp(new Date(fromStamp(newest).getTime() + 1000))
}

const toStamp = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 14)

function fromStamp(stamp: string): Date {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(stamp)?.slice(1) ?? []
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number)
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second))
}
