import { encodeId, extract, isDestructiveAction, parseId, plan } from '@supabase/pg-delta'
import type { Pool } from 'pg'
import { restoreSource } from './restore-source.ts'

export type Suggestion = {
  /** The statements that change the first database into the second; empty when both are equal. */
  readonly sql: string
  /** The suggested statements that delete columns, tables or rows. */
  readonly destructive: readonly string[]
  /**
   * Pairs of a dropped and a created object that may be a rename, as `from=to`, the format of the parameter
   * `accepted`.
   */
  readonly renameCandidates: readonly string[]
}

/**
 * Suggests the statements that change the database `current` into `wanted`. `accepted` lists the renames to apply, and
 * `schema` contains the statements of the schema files, whose text replaces the functions that PostgreSQL prints. A
 * developer reads the suggestion; the comparison by `describe-schema.ts` shows whether the suggestion is complete.
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
  // The role that runs migrations owns the objects that it creates. The name of this role may differ from postgres.
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
 * Returns the version number of a migration that a developer writes at `now`: the time in UTC, or a later time if that
 * is necessary to exceed each of `versions`.
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
