import {
  type Database,
  type Identity,
  type PipelineOptions,
  retryTransaction,
} from '@local/postgres'
import type { Outcome } from './response/response.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Statement } from './sql/statement.ts'

/** A limit for each database role by its name; `others` applies to the roles that are not named. */
export type RoleLimits = Readonly<Record<string, number>> & { readonly others: number }

export function limitOf(limits: RoleLimits, role: string): number {
  return limits[role] ?? limits.others
}

export type RestLimits = {
  /** The maximum number of rows that a request reads from one table or view. */
  readonly maxRows: number
  /** The maximum cost of one request, in the units of `parse/cost.ts`. */
  readonly maxCost: RoleLimits
  /** The maximum duration of one statement in milliseconds. */
  readonly statementTimeoutMs: RoleLimits
}

/**
 * The limits of a hosted Supabase project on the number of rows and the duration of statements, and additional limits
 * on the cost of a request.
 */
export const hostedLimits: RestLimits = {
  maxRows: 1000,
  maxCost: { anon: 100, others: 500 },
  statementTimeoutMs: { anon: 3_000, service_role: 15_000, others: 8_000 },
}

/** The context of one request: database, identity and limits. */
export type Session = {
  readonly database: Database
  readonly identity: Identity
  readonly catalog: Catalog
  readonly limits: RestLimits
  /** The time zone that the preference `timezone` requests. */
  readonly timezone?: string | undefined
  /**
   * Subtracts the cost of the request from the rate-limit allowance of the client; returns the seconds to wait when the
   * allowance is too small, otherwise undefined.
   */
  spend(cost: number): number | undefined
}

/**
 * Runs the statement of a request together with the statements in `more`, in one transaction and one network round
 * trip.
 */
export async function run(
  session: Session,
  statement: Statement,
  readOnly: boolean,
  more: readonly Statement[] = [],
): Promise<{ outcome: Outcome; more: readonly (readonly (string | null)[])[][] }> {
  const { database, identity } = session
  const options: PipelineOptions = { readOnly, statementTimeoutMs: timeoutOf(session) }
  const before = zoneStatements(session)
  const results = await retryTransaction(() =>
    database.pipeline(identity, [...before, statement, ...more], options),
  )
  const [rows, ...rest] = results.slice(before.length)
  return { outcome: outcomeOf(rows?.[0] ?? []), more: rest }
}

/**
 * Runs the statement of a write and commits only when `check` accepts the result; `check` throws to roll back. The
 * function needs more than one network round trip.
 */
export async function runChecked<Result>(
  session: Session,
  statement: Statement,
  check: (outcome: Outcome) => Result,
): Promise<Result> {
  return retryTransaction(() =>
    session.database.transaction(session.identity, async (query) => {
      const timeout = String(timeoutOf(session))
      await query(`select set_config('statement_timeout', $1, true)`, [timeout])
      for (const { text, values } of zoneStatements(session)) await query.unchecked(text, values)
      const [row] = await query.unchecked<ResultColumns>(statement.text, statement.values)
      return check(
        outcomeOf([row?.total, row?.page, row?.body, row?.extra, row?.status, row?.headers]),
      )
    }),
  )
}

function timeoutOf({ identity, limits }: Session): number {
  return limitOf(limits.statementTimeoutMs, identity.role)
}

/**
 * Returns the statement that sets the time zone of the preference `timezone`; returns no statement if the request lacks
 * this preference.
 */
function zoneStatements({ timezone }: Session): Statement[] {
  if (timezone === undefined) return []
  return [{ text: `select set_config('timezone', $1, true)`, values: [timezone] }]
}

type ResultColumns = Record<
  'total' | 'page' | 'body' | 'extra' | 'status' | 'headers',
  string | null
>

function outcomeOf(row: readonly (string | null | undefined)[]): Outcome {
  const [total, page, body, extra, status, headers] = row
  return {
    total: total == null ? undefined : Number(total),
    page: Number(page ?? 0),
    body: body ?? undefined,
    extra: extra ?? undefined,
    status: status ?? undefined,
    headers: headers ?? undefined,
  }
}
