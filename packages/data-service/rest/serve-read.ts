import { pageResponse, withHeader, type RestResponse, type Outcome } from './response/response.ts'
import { unsupported } from './response/refusal.ts'
import type { Relation } from './catalog/catalog.ts'
import { contentTypeOf, type Shape } from './parse/accept.ts'
import type { Preferences, Query } from './parse/ast.ts'
import { outputNames } from './resolve/output-names.ts'
import { resolveRead } from './resolve/read.ts'
import {
  refuseExpressionsOfVisitors,
  requireEmbedPermissions,
  requirePermission,
} from './resolve/permissions.ts'
import { run, type Session } from './serve.ts'
import { estimateStatement, readStatement } from './sql/response.ts'
import { qualified } from './sql/statement.ts'

/** Serves GET and HEAD requests for a table or view. */
export async function serveRead(
  session: Session,
  relation: Relation,
  query: Query,
  shape: Shape,
  preferences: Preferences,
): Promise<RestResponse> {
  const { role } = session.identity
  refuseOwnMedia(relation, shape)
  requirePermission(role, relation, 'select')
  const source = { ...relation, relation: relation.name }
  const plan = resolveRead(session.catalog, source, query.root, session.limits.maxRows)
  requireEmbedPermissions(role, plan)
  refuseExpressionsOfVisitors(role, plan)
  const from = qualified(relation.name)
  const { count } = preferences
  const exact =
    count === 'exact' ? 'all' : count === 'estimated' ? session.limits.maxRows + 1 : 'no'
  const planned = count === 'planned' || count === 'estimated'
  const estimate = planned ? [estimateStatement(plan, from)] : []
  const { outcome, more } = await run(
    session,
    readStatement(plan, from, exact, shape),
    true,
    estimate,
  )
  const total = planned ? estimatedTotal(outcome, more[0]?.[0]?.[0], session) : outcome.total
  const found =
    shape.form === 'csv' ? withHeader(outcome, outputNames(relation.columns, plan)) : outcome
  return pageResponse({ ...found, total }, plan.offset ?? 0, shape, preferences)
}

// Refuses the custom media types of a table, which PostgREST serves and this service does not. An aggregate function
// defines each custom media type; an aggregate for `*/*` defines every media type.
function refuseOwnMedia({ media }: Relation, shape: Shape): void {
  const requested = contentTypeOf(shape).split(';')[0] ?? ''
  if (media.includes('*/*') || media.includes(requested))
    throw unsupported('Media types that a table defines')
}

/**
 * Returns the planner's estimate of the number of rows. For `count=estimated`, returns the exact number when this
 * number is at most `maxRows`.
 */
function estimatedTotal(
  { total, page }: Outcome,
  explained: string | null | undefined,
  { limits }: Session,
): number {
  const plans = JSON.parse(explained ?? '[]') as { Plan: { 'Plan Rows': number } }[]
  const guess = plans[0]?.Plan['Plan Rows'] ?? page
  if (total === undefined) return guess
  return total > limits.maxRows ? Math.max(total, guess) : total
}
