import { type Database, type PipelineOptions, retryTransaction } from '@local/postgres'
import type { RequestIdentity } from './caller.ts'
import type { Outcome } from './response/response.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Statement } from './sql/statement.ts'

export type RestLimits = {
  /** No request reads more rows of one relation than this; hosted projects have 1000. */
  readonly maxRows: number
  /** What one request may ask for, by role, in the units of `parse/cost.ts`. */
  readonly maxCost: Readonly<Record<RequestIdentity['role'], number>>
  /** How long one statement may take, by role; hosted projects have 3 s for visitors, 8 s for users. */
  readonly statementTimeoutMs: Readonly<Record<RequestIdentity['role'], number>>
}

export const hostedLimits: RestLimits = {
  maxRows: 1000,
  // The site's own requests cost less than 50.
  maxCost: {
    anon: 100,
    authenticated: 500,
    service_role: 500,
  },
  statementTimeoutMs: {
    anon: 3_000,
    authenticated: 8_000,
    service_role: 15_000,
  },
}

/** One request's way to the database. */
export type Session = {
  readonly database: Database
  readonly identity: RequestIdentity
  readonly catalog: Catalog
  readonly limits: RestLimits
  /** The preference of this name. */
  readonly timezone?: string | undefined
  /** Takes what a request costs from its sender's allowance; returns the seconds to wait when it is spent. */
  spend(cost: number): number | undefined
}

/** Runs the statement that answers a request, in one transaction and one round trip. */
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
 * The same for a write whose outcome decides whether it stands: `check` throws to undo it. That takes
 * a second round trip.
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
  return limits.statementTimeoutMs[identity.role]
}

/** Times are written in the zone that the caller prefers. */
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
