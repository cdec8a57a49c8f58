import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sentRevision, type TearDown } from '#contracts/estimates/estimates.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  admin,
  fixtureClock,
  refusalTo,
  signedInStranger,
} from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, tearDownJob } from '#tests/support/estimates/estimates.ts'

let shop: TestDatabase
let estimateClient: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  shop = await createTestDatabase()
  estimateClient = createEstimateClient(shop)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const job = tearDownJob()
const problemsOf = async (id: string) => (await estimateClient.read(id)).problems
const freezing = async (id: string) => {
  const version = await estimateClient.version(id)
  return refusalTo(shop.database, asServer, (query) =>
    query.unchecked(`select internal.freeze_estimate($1, $2, true, 'ana')`, [id, version]),
  )
}
const noteSql = 'public.note_declined_after_tear_down($1, $2, $3)'
const note = (id: string, jobKey: string, declined: string) =>
  estimateClient.call(admin, noteSql, [id, jobKey, declined])

const missing: [Partial<TearDown>, string][] = [
  [{ areas: ' ' }, 'tear_down_areas_missing'],
  [{ priceCents: null }, 'tear_down_price_missing'],
  [{ reassemblyPriceCents: null }, 'tear_down_reassembly_price_missing'],
  [{ destroyedParts: '' }, 'tear_down_destroyed_parts_missing'],
  [{ reassemblyTime: '' }, 'tear_down_time_missing'],
  [{ mayPreventReassembly: null }, 'tear_down_risk_missing'],
]

describe('A tear-down estimate', () => {
  it.each(missing)('is not sent without %j', async (change, code) => {
    const id = await estimateClient.write(estimateDocument([{ ...job, ...tearDownJob(change) }]))
    expect((await problemsOf(id)).map((problem) => problem.code)).toEqual([code])
    expect(await freezing(id)).toMatchObject({ code: 'TT074', hint: code })
  })

  it('is not sent when the total of its lines differs from the sum of its two prices', async () => {
    const id = await estimateClient.write(estimateDocument([tearDownJob({ priceCents: 28_999 })]))
    expect(await freezing(id)).toMatchObject({ code: 'TT074', hint: 'tear_down_price_differs' })
  })

  it.each([
    [{ priceCents: 1.5 }],
    [{ priceCents: -1 }],
    [{ reassemblyPriceCents: 100_000_000 }],
    [{ areas: 'two\nlines' }],
    [{ reassemblyTime: 'x'.repeat(61) }],
  ])('is not saved with %j', async (change) => {
    await expect(estimateClient.write(estimateDocument([tearDownJob(change)]))).rejects.toThrow(
      'estimate_jobs_tear_down_is_valid',
    )
  })

  it('stores all its terms when it is sent, and shows them on the estimate page and the printed estimate', async () => {
    const id = await estimateClient.write(estimateDocument([job, estimateJob()]))
    await estimateClient.freeze(id)
    const sent = sentRevision.parse(await estimateClient.sentRevision(id))
    expect(sent.jobs.map(({ tearDown }) => tearDown)).toEqual([job.tearDown, null])
    const printed = await estimateClient.call<{ jobs: unknown[] }>(
      asServer,
      'internal.read_printable_estimate($1, true)',
      [id],
    )
    expect(printed.jobs).toMatchObject([{ tearDown: job.tearDown }, { tearDown: null }])
  })

  it('needs a new approval only when its terms change', async () => {
    const id = await estimateClient.write(estimateDocument([job]))
    await estimateClient.record(id, { [job.key]: 'approved' })
    const later = { ...job, tearDown: tearDownJob({ reassemblyTime: '30 business days' }).tearDown }
    await estimateClient.save(id, estimateDocument([later]))
    await estimateClient.freeze(id)
    expect((await estimateClient.sentRevision(id)).state).toBe('open')
    await estimateClient.save(id, estimateDocument([job]))
    await estimateClient.freeze(id)
    expect((await estimateClient.sentRevision(id)).state).toBe('decided')
  })
})

describe('The note that a customer declines the repair or the reassembly after a tear-down', () => {
  it('is stored once, and printed on the estimate and its invoice', async () => {
    const id = await estimateClient.write(estimateDocument([job]))
    await estimateClient.record(id, { [job.key]: 'approved' })
    await note(id, job.key, 'repair')
    await note(id, job.key, 'repair')
    await note(id, job.key, 'reassembly')
    const declines = [
      { declined: 'repair', jobTitle: job.title, notedBy: 'ana' },
      { declined: 'reassembly', jobTitle: job.title, notedBy: 'ana' },
    ]
    const { history } = await estimateClient.read(id)
    expect(history.map(({ kind }) => kind)).toEqual(['repair_declined', 'reassembly_declined'])
    const printed = (sql: string, key: string) => estimateClient.call(asServer, sql, [key])
    expect(await printed('internal.read_printable_estimate($1, true)', id)).toMatchObject({
      tearDownDeclines: declines,
    })
    await shop.owner.query(
      `insert into public.staff_accounts (user_id, username, name, role, created_at)
       values (gen_random_uuid(), 'ana', 'Ana Reyes', 'advisor', '-infinity')
       on conflict (username) do update set name = excluded.name, created_at = excluded.created_at`,
    )
    expect(await printed('internal.read_printable_estimate($1, true)', id)).toMatchObject({
      tearDownDeclines: declines.map((decline) => ({ ...decline, notedBy: 'Ana Reyes' })),
      authorizations: [{ recordedBy: 'Ana Reyes' }],
    })
    await shop.owner.query(`update public.staff_accounts set name = 'ana' where username = 'ana'`)
    const { requestId } = await estimateClient.bill(id)
    await estimateClient.recordBilled(requestId, 'in_torn', 'TT-torn')
    expect(await printed('internal.read_printable_invoice($1)', 'in_torn')).toMatchObject({
      work: { tearDownDeclines: declines },
    })
    await expect(note(id, job.key, 'repair')).rejects.toThrow('has its invoice')
  })

  it('is refused for an unapproved tear-down, for any other kind of job, and for an unknown decision', async () => {
    const plain = estimateJob()
    const id = await estimateClient.write(estimateDocument([job, plain]))
    await estimateClient.freeze(id)
    await expect(note(id, job.key, 'repair')).rejects.toThrow('approved tear-down')
    await estimateClient.record(id, { [job.key]: 'approved', [plain.key]: 'approved' })
    await expect(note(id, plain.key, 'repair')).rejects.toThrow('approved tear-down')
    await expect(note(id, job.key, 'invoice')).rejects.toThrow('approved tear-down')
    const refused = await refusalTo(shop.database, signedInStranger, (query) =>
      query.unchecked(`select ${noteSql}`, [id, job.key, 'repair']),
    )
    expect(refused.code).toBe('42501')
  })
})
