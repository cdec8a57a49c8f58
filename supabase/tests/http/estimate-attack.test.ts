import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import {
  approveEstimate,
  readEstimate,
  saveEstimate,
} from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob, laborLine } from '#tests/support/estimates/estimates.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
/**
 * The clients that attack: the admin, and a visitor, who has the same rights as a customer with the link to an estimate
 * page.
 */
let clients: Record<'visitor' | 'admin', SupabaseClient>
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logIn()
  const [visitor, admin] = [await shop.createClient(), await shop.createClient()]
  const { error } = await admin.auth.signInWithPassword({
    email: staffEmail(testAdmin.username),
    password: testAdmin.password,
  })
  if (error) throw error
  clients = { visitor, admin }
})
afterAll(() => shop.close())

const database = () => shop.database.database

/**
 * The tables that no attack may change: the customers' authorizations, the sent revisions of estimates, the invoices.
 */
const guarded = [
  'authorizations',
  'estimate_revisions',
  'estimate_jobs',
  'estimate_lines',
  'estimate_invoices',
  'estimate_invoice_jobs',
  'estimates',
] as const

async function everything(): Promise<Record<string, unknown>> {
  const tables = guarded.map(async (table) => {
    const { rows } = await shop.database.owner.query(
      `select to_jsonb(t) as row from public.${table} t order by to_jsonb(t)::text`,
    )
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

const price = (unitPriceCents: number, key: string) =>
  estimateJob({ key, lines: [{ ...laborLine, quantityThousandths: 1000, unitPriceCents }] })

/** Creates an approved estimate of $100.00 with a later draft that costs one cent more. */
async function aCentAbove(): Promise<{ id: string; key: string; dearer: EstimateDocument }> {
  const key = randomUUID()
  const id = await approveEstimate(database(), estimateDocument([price(10_000, key)]))
  const dearer = estimateDocument([price(10_001, key)])
  await saveEstimate(database(), id, dearer)
  return { id, key, dearer }
}

const columnsOf = async (table: string) =>
  (
    await shop.database.owner.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    )
  ).rows.map(({ column_name: name }) => name)

describe('an invoice one cent above the approved total', () => {
  it('cannot be created by any request to the invoice endpoints', async () => {
    const { id, key } = await aCentAbove()
    const { version } = await readEstimate(database(), id)
    const request = { estimateId: id, seenVersion: version }
    const forged = { authorizedCents: 10_001, totalCents: 10_001, jobs: [{ key, cents: 10_001 }] }
    for (const sent of [request, { ...request, ...forged }, { ...request, sendEmail: true }]) {
      expect(await shop.post('/api/admin/estimate/invoice', sent)).toMatchObject({
        status: 409,
        body: { code: 'ABOVE_AUTHORIZED' },
      })
    }
    for (const headers of [
      {},
      { cookie: 'admin_session=x' },
      { cookie, origin: 'https://x.example' },
    ]) {
      const response = await shop.inject({
        method: 'POST',
        url: '/api/admin/estimate/invoice',
        headers,
        payload: request,
      })
      expect([401, 403]).toContain(response.statusCode)
    }
    const { rows } = await shop.database.owner.query(
      'select from public.estimate_invoices where estimate_id = $1',
      [id],
    )
    expect(rows).toEqual([])
  })

  it('cannot be written by any REST method on any table, neither by a visitor nor by the admin', async () => {
    const { id } = await aCentAbove()
    const before = await everything()
    for (const client of Object.values(clients)) {
      for (const table of guarded) {
        const columns = await columnsOf(table)
        for (const column of columns) {
          const change = { [column]: column.endsWith('cents') ? 1_000_000 : id } as never
          const requests = [
            client.from(table).update(change).not(column, 'is', null),
            client.from(table).insert(change),
            client.from(table).upsert(change),
            client.from(table).delete().not(column, 'is', null),
          ]
          for (const { error } of await Promise.all(requests)) expect(error).not.toBeNull()
        }
      }
    }
    expect(await everything()).toEqual(before)
  }, 60_000)

  it('cannot be created by calling any procedure with plausible arguments, neither by a visitor nor by the admin', async () => {
    const { id, key, dearer } = await aCentAbove()
    const { version, authorizations } = await readEstimate(database(), id)
    const pool: Record<string, unknown> = {
      estimate_id: id,
      wanted_id: id,
      seen_version: version,
      document: dearer,
      job: price(1, key),
      decisions: [{ jobKey: key, decision: 'approved', amountCents: 1_000_000 }],
      revision_hash: authorizations[0]?.revisionHash,
      approved: [key],
      changed_by_name: 'ana',
      is_sent: true,
      new_state: 'made',
      new_invoice_id: 'in_forged',
      request_id: randomUUID(),
      method: 'web',
      decided_by_name: 'Maria Delgado',
      relationship: '',
      contact: '',
      statement: '',
      decided_at: new Date().toISOString(),
    }
    const { rows } = await shop.database.owner.query<{
      schema: string
      name: string
      args: string[]
    }>(
      `select n.nspname as schema, p.proname as name, coalesce(p.proargnames, '{}') as args
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname in ('public', 'internal') and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
         and (p.proname ~ 'estimate|sent_revision|authoriz|claim|revision|freeze|ledger' or 'estimate_id' = any (p.proargnames))`,
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const [clientName, client] of Object.entries(clients)) {
      for (const { schema, name, args } of rows) {
        const given = Object.fromEntries(
          args.filter((arg) => arg in pool).map((arg) => [arg, pool[arg]]),
        )
        const calls = [client.rpc(name, given), client.schema('internal' as never).rpc(name, given)]
        const [asPublic, asInternal] = await Promise.all(calls)
        expect(asInternal?.error).not.toBeNull()
        if (clientName === 'visitor' || schema === 'internal')
          expect(asPublic?.error).not.toBeNull()
      }
    }
    // The admin's calls may have made permitted changes. These changes must not alter the customer's authorizations
    // from before the attack, and no invoice may exceed these authorizations.
    const after = await readEstimate(database(), id)
    expect(after.authorizations.slice(0, authorizations.length)).toEqual(authorizations)
    expect(after.authorizedCents).toBe(10_000)
    expect(after.invoice).toBeNull()
    const sent = { estimateId: id, seenVersion: after.version }
    expect(await shop.post('/api/admin/estimate/invoice', sent)).toMatchObject({
      body: { code: 'ABOVE_AUTHORIZED' },
    })
  }, 60_000)

  it('is not created when an approval is withdrawn concurrently, because one of the two transactions waits for the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID()
      const id = await approveEstimate(database(), estimateDocument([price(10_000, key)]))
      const { version } = await readEstimate(database(), id)
      const [billed, withdrawn] = await Promise.all([
        shop.post('/api/admin/estimate/invoice', { estimateId: id, seenVersion: version }),
        clients.admin.rpc('record_authorization', {
          estimate_id: id,
          seen_version: version,
          decisions: [{ jobKey: key, decision: 'withdrawn' }],
          method: 'phone',
          decided_by_name: 'Maria Delgado',
          relationship: '',
          contact: '+1 650 555 0167',
          statement: '',
          decided_at: new Date().toISOString(),
        }),
      ])
      const { invoice, authorizedCents } = await readEstimate(database(), id)
      expect([billed.status === 200, withdrawn.error === null]).not.toEqual([true, true])
      expect(invoice?.totalCents ?? 0).toBeLessThanOrEqual(authorizedCents)
    }
  }, 60_000)
})

describe('an invoiced estimate', () => {
  it('cannot be edited, approved, declined, invoiced again or deleted by the admin', async () => {
    const id = await approveEstimate(database(), estimateDocument([price(10_000, randomUUID())]))
    const { version } = await readEstimate(database(), id)
    const request = { estimateId: id, seenVersion: version }
    expect((await shop.post('/api/admin/estimate/invoice', request)).status).toBe(200)
    const before = await everything()
    const read = await readEstimate(database(), id)
    const { admin } = clients
    const attempts = await Promise.all([
      admin.rpc('save_estimate', {
        estimate_id: id,
        seen_version: read.version,
        document: read.document,
      }),
      admin.rpc('delete_estimate', { estimate_id: id }),
      admin.rpc('use_todays_tax_rate', { estimate_id: id, seen_version: read.version }),
    ])
    expect(attempts.map(({ error }) => error?.code)).toEqual(['TT075', 'TT076', 'TT075'])
    expect(await everything()).toEqual(before)
  })
})
