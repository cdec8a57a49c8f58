import {
  estimate as estimateSchema,
  type Estimate,
  type EstimateDocument,
} from '#contracts/estimates/estimates.ts'
import type { Database, Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { estimateDocument } from './estimates.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'

async function call<Answer>(
  database: Database,
  sql: string,
  values: readonly unknown[],
  identity: Identity = admin,
): Promise<Answer> {
  const rows = await database.transaction(identity, (query) =>
    query.unchecked<{ answer: Answer }>(`select ${sql} as answer`, values),
  )
  const [row] = rows
  if (!row) throw new Error('The function returned no row.')
  return row.answer
}

/** Reads an estimate as the dashboard does. */
export async function readEstimate(database: Database, id: string): Promise<Estimate> {
  return estimateSchema.parse(await call(database, 'public.read_estimate($1)', [id]))
}

/** Saves a document as the next draft of an estimate. */
export async function saveEstimate(
  database: Database,
  id: string,
  document: EstimateDocument,
): Promise<void> {
  const { version } = await readEstimate(database, id)
  const values = [id, version, JSON.stringify(document)]
  await call(database, 'public.save_estimate($1, $2, $3)', values)
}

/** Creates an estimate without sending it. */
export async function writeEstimate(
  database: Database,
  document: EstimateDocument = estimateDocument(),
): Promise<string> {
  const { id } = await call<{ id: string }>(database, `public.create_estimate('{}')`, [])
  await saveEstimate(database, id, document)
  return id
}

/** Records which jobs a customer approved or declined by phone, by the keys of the jobs. */
export async function recordByPhone(
  database: Database,
  id: string,
  decisions: Readonly<Record<string, 'approved' | 'declined' | 'withdrawn'>>,
): Promise<void> {
  const decided = Object.entries(decisions).map(([jobKey, decision]) => ({ jobKey, decision }))
  const { version } = await readEstimate(database, id)
  await call(
    database,
    `public.record_authorization($1, $2, $3, 'phone', 'Maria Delgado', '', '+1 650 555 0167', 'Go ahead.',
      '2026-11-20T18:00:00Z')`,
    [id, version, JSON.stringify(decided)],
  )
}

/** Creates an estimate whose jobs were all approved by phone. */
export async function approveEstimate(
  database: Database,
  document: EstimateDocument = estimateDocument(),
): Promise<string> {
  const id = await writeEstimate(database, document)
  const decisions = document.jobs.map(({ key }) => [key, 'approved'] as const)
  await recordByPhone(database, id, Object.fromEntries(decisions))
  return id
}

/**
 * Records in the database that a request is creating the invoice of an estimate, without sending a request to the
 * endpoint.
 */
export async function claimInvoice(database: Database, id: string): Promise<{ requestId: string }> {
  const { version } = await readEstimate(database, id)
  return call(database, `internal.claim_estimate_invoice($1, $2, 'ana')`, [id, version], asServer)
}
