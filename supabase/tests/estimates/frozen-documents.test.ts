import { afterAll, beforeAll, expect, it } from 'vitest'
import { cannedJobs, sentRevision } from '#contracts/estimates/estimates.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

type Rows = readonly Record<string, unknown>[]
const asAdmin = (sql: string, values: unknown[] = []): Promise<Rows> =>
  shop.database.transaction(admin, (query) => query.unchecked(sql, values))
const asShopServer = (sql: string, values: unknown[] = []): Promise<Rows> =>
  shop.database.transaction(asServer, (query) => query.unchecked(sql, values))

/** Renames the JSON keys of a job to those that earlier releases stored. */
const withEarlierKeys = ({
  customerDescription,
  measurement,
  lines,
  ...job
}: ReturnType<typeof estimateJob>) => ({
  ...job,
  plainWords: customerDescription,
  measure: measurement,
  lines: lines.map(({ subtype, quantityThousandths, unitPriceCents, ...line }) => ({
    ...line,
    detail: subtype,
    thousandths: quantityThousandths,
    unitCents: unitPriceCents,
  })),
})

async function freeze(): Promise<string> {
  const [created] = await asAdmin('select public.create_estimate($1)::jsonb as answer', ['{}'])
  const { id } = Object(created?.['answer']) as { id: string }
  const measurement = { value: 2, limit: 3, whenNew: 11, unit: 'mm' }
  const document = estimateDocument([estimateJob({ measurement }), estimateJob()])
  await asAdmin('select public.save_estimate($1, 1, $2)', [id, JSON.stringify(document)])
  await asShopServer(`select internal.freeze_estimate($1, 2, true, 'ana')`, [id])
  return id
}

it('a sent estimate that an earlier release stored with other JSON keys is read like an estimate of the current release', async () => {
  const id = await freeze()
  const read = async () => {
    const [row] = await asShopServer(
      `select internal.read_sent_revision($1) as sent, internal.read_printable_estimate($1, true) as printed`,
      [id],
    )
    return row
  }
  const expected = await read()
  const { jobs, revisionHash } = sentRevision.parse(expected?.['sent'])
  expect(jobs).toHaveLength(2)
  const { rows } = await shop.owner.query<{ document: { jobs: ReturnType<typeof estimateJob>[] } }>(
    'select document from public.estimate_revisions where estimate_id = $1',
    [id],
  )
  const stored = rows[0]?.document ?? { jobs: [] }
  const earlier = { ...stored, jobs: stored.jobs.map((job) => withEarlierKeys(job)) }
  // Disables the triggers of the table `estimate_revisions` for this database connection, and stores the sent document
  // in the format of an earlier release.
  const session = await shop.owner.connect()
  try {
    await session.query('set session_replication_role = replica')
    await session.query(
      "update public.estimate_revisions set document = $2, hash = encode(sha256(convert_to($2::jsonb::text, 'UTF8')), 'hex') where estimate_id = $1",
      [id, JSON.stringify(earlier)],
    )
  } finally {
    await session.query('reset session_replication_role')
    session.release()
  }
  expect(await read()).toMatchObject({
    printed: expected?.['printed'],
    sent: { ...Object(expected?.['sent']), revisionHash: expect.not.stringMatching(revisionHash) },
  })
})

it('a draft and a canned job with the JSON keys of earlier releases can be saved', async () => {
  const [created] = await asAdmin('select public.create_estimate($1)::jsonb as answer', [
    JSON.stringify({ customer: { name: 'Dana Whitfield' } }),
  ])
  const { id } = Object(created?.['answer']) as { id: string }
  const job = estimateJob()
  const document = { ...estimateDocument([]), jobs: [withEarlierKeys(job)] }
  await asAdmin('select public.save_estimate($1, 1, $2)', [id, JSON.stringify(document)])
  const [read] = await asAdmin(`select public.read_estimate($1) #> '{document,jobs}' as jobs`, [id])
  expect(read?.['jobs']).toEqual([job])
  await asAdmin('select public.save_canned_job($1)', [JSON.stringify(withEarlierKeys(job))])
  const [found] = await asAdmin('select public.find_canned_jobs() as jobs')
  expect(cannedJobs.parse(found?.['jobs'])).toMatchObject([{ job: { lines: job.lines } }])
})
