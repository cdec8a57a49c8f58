import {
  appliedPreferences,
  contentRange,
  onlyRow,
  withHeader,
  type RestResponse,
  type Outcome,
} from './response/response.ts'
import { withOverride } from './response/override.ts'
import { Refusal } from './response/refusal.ts'
import type { Relation } from './catalog/catalog.ts'
import { contentTypeOf, type Shape } from './parse/accept.ts'
import type { Payload, Preferences, Query } from './parse/ast.ts'
import { resolveMutation, type MutationKind, type MutationPlan } from './resolve/mutation.ts'
import { primaryKeyMismatch } from './resolve/put.ts'
import { outputNames } from './resolve/output-names.ts'
import {
  refuseExpressionsOfVisitors,
  requireEmbedPermissions,
  requirePermission,
} from './resolve/permissions.ts'
import { run, runChecked, type Session } from './serve.ts'
import { mutationStatement } from './sql/mutation.ts'

export type Write = {
  readonly kind: MutationKind
  readonly relation: Relation
  readonly query: Query
  readonly payload: Payload | undefined
  readonly shape: Shape
  readonly preferences: Preferences
}

/** Serves POST, PUT, PATCH and DELETE requests for a table or view. */
export async function serveWrite(session: Session, write: Write): Promise<RestResponse> {
  const { kind, payload, preferences } = write
  refuseBatch(session, payload)
  const plan = resolveMutation(
    session.catalog,
    write.relation,
    kind,
    write.query,
    payload,
    preferences,
  )
  requireWritePermissions(session.identity.role, plan)
  const present = (outcome: Outcome) => withOverride(writeResponse(write, plan, outcome), outcome)
  if (isEmpty(plan)) return present({ total: undefined, page: 0, body: '[]', extra: '0' })
  const statement = mutationStatement(plan, write.shape)
  if (kind === 'put') {
    return runChecked(session, statement, (outcome) => {
      if (outcome.page !== 1) throw primaryKeyMismatch()
      return present(outcome)
    })
  }
  if (write.shape.form === 'object') return runChecked(session, statement, present)
  return present((await run(session, statement, false)).outcome)
}

function requireWritePermissions(role: string, plan: MutationPlan): void {
  const { kind, table, conditions, conflict, returning } = plan
  requirePermission(role, table, kind === 'put' ? 'insert' : kind)
  refuseExpressionsOfVisitors(role, { conditions, joins: returning?.joins ?? [] })
  if (conflict?.update) requirePermission(role, table, 'update')
  if (!returning) return
  requirePermission(role, table, 'select')
  requireEmbedPermissions(role, returning)
}

/**
 * A visitor may send only one row in a request. A statement would lock several rows in an order that the client
 * chooses, so two statements could deadlock. The rate limits would also count several rows as one request.
 */
function refuseBatch({ identity }: Session, payload: Payload | undefined): void {
  if (identity.role !== 'anon' || !payload || payload.rows <= 1) return
  throw new Refusal(400, 'PGRST102', 'Visitors may send one row at a time', {
    details: `The body has ${payload.rows} rows.`,
  })
}

/** Returns whether an insert contains no rows or an update sets no columns. */
function isEmpty({ kind, payload, columns }: MutationPlan): boolean {
  return (kind === 'insert' && payload.rows === 0) || (kind === 'update' && columns.length === 0)
}

function writeResponse(write: Write, plan: MutationPlan, outcome: Outcome): RestResponse {
  const { kind, preferences, shape } = write
  const shown = plan.returning !== undefined
  // The number of changed rows is also checked when the response contains no rows, because a request for one object
  // must not change several rows.
  const body = shape.form === 'object' ? onlyRow(outcome) : bodyOf(write, plan, outcome)
  return {
    status: statusOf(kind, plan, shown, outcome),
    headers: {
      ...(kind === 'put' ? {} : { 'content-range': rangeOf(kind, outcome, preferences) }),
      ...(shown ? { 'content-type': contentTypeOf(shape) } : {}),
      ...locationOf(plan, outcome),
      ...appliedPreferences(preferences, honored(plan)),
    },
    body: shown ? body : undefined,
  }
}

function bodyOf({ shape, relation }: Write, { returning }: MutationPlan, outcome: Outcome) {
  if (shape.form !== 'csv' || !returning) return outcome.body
  return withHeader(outcome, outputNames(relation.columns, returning)).body
}

function statusOf(
  kind: MutationKind,
  plan: MutationPlan,
  shown: boolean,
  { extra }: Outcome,
): number {
  const inserts = kind === 'insert' || (kind === 'put' && shown)
  if (!inserts) return shown ? 200 : 204
  return plan.conflict?.update && extra === '0' ? 200 : 201
}

function rangeOf(kind: MutationKind, { page }: Outcome, { count }: Preferences): string {
  const total = count === 'exact' ? page : undefined
  return kind === 'update' ? contentRange(0, page, total) : contentRange(0, 0, total)
}

function honored({ kind, conflict }: MutationPlan) {
  if (kind === 'insert' && !conflict) return ['missing', 'return', 'count'] as const
  return kind === 'insert'
    ? (['resolution', 'missing', 'return', 'count'] as const)
    : kind === 'update'
      ? (['missing', 'return', 'count'] as const)
      : (['return', 'count'] as const)
}

function locationOf(plan: MutationPlan, { extra }: Outcome): Record<string, string> {
  if (!plan.location || extra === undefined || plan.conflict?.update) return {}
  const values = JSON.parse(extra) as (string | null)[]
  const key = plan.table.primaryKey.map(
    (name, index) => `${encodeURIComponent(name)}=${isValue(values[index])}`,
  )
  return { location: `/${encodeURIComponent(plan.table.name)}?${key.join('&')}` }
}

function isValue(value: string | null | undefined): string {
  return value == null ? 'is.null' : `eq.${encodeURIComponent(value)}`
}
