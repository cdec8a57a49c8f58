import {
  estimate,
  type EstimateDocument,
  type SentRevision,
  type SavedEstimate,
} from '#contracts/estimates/estimates.ts'
import type { Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { TestDatabase } from '#tests/support/database/database.ts'
import { estimateDocument } from './estimates.ts'
import { admin, refusalTo } from '#tests/support/database/database-fixtures.ts'

/** Returns functions that call the database's estimate functions as staff or as the server. */
export function createEstimateClient({ database }: TestDatabase) {
  const call = async <Answer>(as: Identity, sql: string, values: unknown[]) => {
    const [row] = await database.transaction(as, (query) =>
      query.unchecked(`select ${sql} as answer`, values),
    )
    return Object(row)['answer'] as Answer
  }
  const estimateClient = {
    call,
    async write(document: EstimateDocument = estimateDocument(), source: object = {}) {
      const made = await call<{ id: string }>(admin, 'public.create_estimate($1)', [source])
      await estimateClient.save(made.id, document)
      return made.id
    },
    read: async (id: string) => estimate.parse(await call(admin, 'public.read_estimate($1)', [id])),
    version: async (id: string) =>
      (await call<{ version: number }>(admin, 'public.read_estimate($1)', [id])).version,
    save: async (id: string, document: EstimateDocument) =>
      call<SavedEstimate>(admin, 'public.save_estimate($1, $2, $3)', [
        id,
        await estimateClient.version(id),
        document,
      ]),
    freeze: async (id: string) =>
      call<SavedEstimate>(asServer, `internal.freeze_estimate($1, $2, true, 'ana')`, [
        id,
        await estimateClient.version(id),
      ]),
    record: async (id: string, decisions: Record<string, string>) =>
      call<SavedEstimate>(
        admin,
        `public.record_authorization($1, $2, $3, 'phone', 'Maria Delgado', '', '+1 650 555 0167',
          'Go ahead.', internal.current_instant())`,
        [
          id,
          await estimateClient.version(id),
          JSON.stringify(
            Object.entries(decisions).map(([jobKey, decision]) => ({ jobKey, decision })),
          ),
        ],
      ),
    bill: async (id: string) =>
      call<{ requestId: string }>(asServer, `internal.claim_estimate_invoice($1, $2, 'ana')`, [
        id,
        await estimateClient.version(id),
      ]),
    refusalToBill: async (id: string) => {
      const version = await estimateClient.version(id)
      return refusalTo(database, asServer, (query) =>
        query.unchecked(`select internal.claim_estimate_invoice($1, $2, 'ana')`, [id, version]),
      )
    },
    recordBilled: (requestId: string, invoiceId: string, number: string) =>
      call<boolean>(asServer, `internal.record_estimate_invoice_state($1, 'made', $2, $3)`, [
        requestId,
        invoiceId,
        number,
      ]),
    sentRevision: (id: string) =>
      call<SentRevision>(asServer, 'internal.read_sent_revision($1)', [id]),
    path: async (id: string) =>
      `/estimate/${await call<string>(asServer, 'internal.estimate_token($1)', [id])}`,
  }
  return estimateClient
}
