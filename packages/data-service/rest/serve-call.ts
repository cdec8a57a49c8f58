import {
  onlyRow,
  pageResponse,
  withHeader,
  type RestResponse,
  type Outcome,
} from './response/response.ts'
import { withOverride } from './response/override.ts'
import { Refusal } from './response/refusal.ts'
import type { Routine } from './catalog/catalog.ts'
import type { Shape } from './parse/accept.ts'
import type { Payload, Preferences, Query } from './parse/ast.ts'
import { findRoutine, resolveCall } from './resolve/call.ts'
import { outputNames } from './resolve/output-names.ts'
import {
  refuseExpressionsOfVisitors,
  requireCallPermission,
  requireEmbedPermissions,
} from './resolve/permissions.ts'
import { run, runChecked, type Session } from './serve.ts'
import { callStatement } from './sql/call.ts'

export type Call = {
  readonly name: string
  readonly query: Query
  /** The arguments of a function call with POST. For a call with GET, `query` contains the arguments. */
  readonly payload: Payload | undefined
  readonly shape: Shape
  readonly preferences: Preferences
}

/** The CSV column name for the value of a function that does not return a row. */
const scalarHeader = 'pgrst_scalar'

/** Serves GET, HEAD and POST requests that call a database function. */
export async function serveCall(session: Session, call: Call): Promise<RestResponse> {
  const { query, payload, preferences } = call
  if (payload?.list) throw new Refusal(400, 'PGRST102', 'Arguments must be one JSON object')
  const names = payload ? payload.keys : [...query.args.keys()]
  const routine = findRoutine(session.catalog, call.name, names, payload !== undefined)
  const { role } = session.identity
  requireCallPermission(role, routine)
  const plan = resolveCall(session.catalog, routine, query.root, session.limits.maxRows)
  requireEmbedPermissions(role, plan)
  refuseExpressionsOfVisitors(role, plan)
  const args = payload ? { json: payload.text } : query.args
  const counted = preferences.count !== undefined
  const statement = callStatement(routine, names, args, plan, counted, call.shape)
  const columns = routine.returns === 'rows' ? outputNames(routine.columns, plan) : [scalarHeader]
  const present = (outcome: Outcome) => {
    const found = call.shape.form === 'csv' ? withHeader(outcome, columns) : outcome
    return withOverride(callResponse(routine, call, found, plan.offset ?? 0), outcome)
  }
  // A function that is not declared volatile runs in a read-only transaction, and so does every function that is called
  // with GET.
  const readOnly = payload === undefined || !routine.volatile
  if (readOnly || call.shape.form !== 'object') {
    return present((await run(session, statement, readOnly)).outcome)
  }
  return runChecked(session, statement, present)
}

function callResponse(
  routine: Routine,
  call: Call,
  outcome: Outcome,
  offset: number,
): RestResponse {
  const response = pageResponse(outcome, offset, call.shape, call.preferences)
  if (routine.returns === 'void') {
    const { 'content-type': _, ...headers } = response.headers
    return { status: 204, headers, body: undefined }
  }
  const one = !routine.returnsSet && call.shape.form === 'list' && outcome.page === 1
  return one ? { ...response, body: onlyRow(outcome) } : response
}
