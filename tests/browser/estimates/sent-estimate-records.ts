import type { EstimateDocument, SentRevision } from '#contracts/estimates/estimates.ts'
import { sampleSentRevision } from '#tests/support/estimates/sample-sent-revision.ts'
import { adminLogin, type Shop } from '#tests/browser/fixtures.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

/** An estimate for Maria with three jobs. */
const maria: EstimateDocument = {
  customer: { name: 'Maria Delgado', email: 'maria@customer.example', phone: '(650) 555-0167' },
  vehicle: {
    year: '2019',
    make: 'Subaru',
    model: 'Outback',
    plate: '8KLM204',
    vin: '',
    odometerMiles: 71_506,
  },
  payer: { name: '', reference: '', approvedCents: null },
  customerNote: '',
  internalNote: 'Pays late.',
  goodUntil: '2026-12-08',
  jobs: sampleSentRevision().jobs.map(
    ({ key, title, customerDescription, isNeeded, measurement, tearDown, lines }) => ({
      key,
      title,
      customerDescription,
      isNeeded,
      measurement,
      tearDown,
      lines,
    }),
  ),
}

/** Calls a database function with the rights of the signed-in admin. */
async function asAdmin<Answer>(shop: Shop, call: string, values: unknown[]): Promise<Answer> {
  const client = await shop.database.connect()
  try {
    await client.query('begin')
    await client.query(
      `select set_config('request.jwt.claims',
         jsonb_build_object('sub', user_id, 'app_metadata', '{"username": "ana"}'::jsonb)::text, true)
       from staff_accounts where username = $1`,
      [adminLogin.username],
    )
    const { rows } = await client.query<{ answer: Answer }>(`select ${call} as answer`, values)
    await client.query('commit')
    return rows[0]?.answer as Answer
  } finally {
    client.release()
  }
}

/** Creates and sends an estimate, with or without an appointment; returns the id and the path of the estimate page. */
export async function sendTestEstimate(
  shop: Shop,
  { bookingId, change }: { bookingId?: string; change?: Partial<EstimateDocument> } = {},
) {
  const source = bookingId === undefined ? {} : { bookingId }
  const { id } = await asAdmin<{ id: string }>(shop, 'public.create_estimate($1)', [source])
  await sendNextRevision(shop, id, { ...maria, ...change })
  const { rows } = await shop.database.query<{ token: string }>(
    'select internal.estimate_token($1) as token',
    [id],
  )
  return { id, path: `/estimate/${rows[0]?.token}` }
}

/** Saves a change of an estimate and sends the next revision. */
export async function sendNextRevision(shop: Shop, id: string, document = maria): Promise<void> {
  const call = 'public.save_estimate($1, $2, $3)'
  await asAdmin(shop, call, [id, await versionOf(shop, id), document])
  await shop.database.query(`select internal.freeze_estimate($1, $2, true, 'ana')`, [
    id,
    await versionOf(shop, id),
  ])
}

/** Returns Maria's estimate with one additional job. */
export const withExtraJob = (job: EstimateDocument['jobs'][number]): EstimateDocument => ({
  ...maria,
  jobs: [...maria.jobs, job],
})

async function versionOf(shop: Shop, id: string): Promise<number | undefined> {
  const { rows } = await shop.database.query<{ version: number }>(
    'select version from estimates where id = $1',
    [id],
  )
  return rows[0]?.version
}

export async function readSentRevision(shop: Shop, id: string): Promise<SentRevision | undefined> {
  const { rows } = await shop.database.query<{ sentRevision: SentRevision }>(
    'select internal.read_sent_revision($1) as "sentRevision"',
    [id],
  )
  return rows[0]?.sentRevision
}

/**
 * Deletes all estimates. Only the superuser can delete the customers' authorizations, and only by bypassing their
 * triggers.
 */
export async function resetSentEstimates(shop: Shop): Promise<void> {
  await shop.database.query(
    `${truncateTables('public.estimates', 'public.tasks')};
     delete from emails where kind in ('estimate', 'estimate_approved')`,
  )
  await shop.setClock(undefined)
}
