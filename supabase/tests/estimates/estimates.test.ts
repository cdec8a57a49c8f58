import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type EstimateDocument,
  type EstimateLine,
  estimate as estimateSchema,
  estimateList,
  cannedJobs,
  sentRevision as sentRevisionSchema,
  savedEstimate,
} from '#contracts/estimates/estimates.ts'
import { jobTotals } from '#domain/estimates/estimate-totals.ts'
import { isHazardousWasteFee } from '#domain/estimates/hazardous-waste-fee.ts'
import type { Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  anyEstimateLine,
  estimateDocument,
  estimateJob,
  laborLine,
  partLine,
} from '#tests/support/estimates/estimates.ts'
import { hazardousFees, otherFees } from '#domain/estimates/hazardous-waste-fee.examples.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const call = async (sql: string, values: unknown[] = [], identity: Identity = admin) => {
  const [row] = await shop.database.transaction(identity, (query) => query.unchecked(sql, values))
  return row?.['answer']
}
const refusal = (sql: string, values: unknown[] = [], identity: Identity = admin) =>
  refusalTo(shop.database, identity, (query) => query.unchecked(sql, values))

const create = async (source = {}) =>
  String(
    (await call('select public.create_estimate($1)::jsonb as answer', [JSON.stringify(source)])).id,
  )
const read = async (id: string) =>
  estimateSchema.parse(await call('select public.read_estimate($1) as answer', [id]))
const saveSql = 'select public.save_estimate($1, $2, $3) as answer'
const save = async (id: string, document: EstimateDocument, version?: number) =>
  savedEstimate.parse(
    await call(saveSql, [id, version ?? (await read(id)).version, JSON.stringify(document)]),
  )
const freezeSql = `select internal.freeze_estimate($1, $2, true, 'ana') as answer`
const send = async (id: string) =>
  savedEstimate.parse(await call(freezeSql, [id, (await read(id)).version], asServer))
const sentRevisionOf = async (id: string) =>
  sentRevisionSchema.parse(
    await call('select internal.read_sent_revision($1) as answer', [id], asServer),
  )
const decideSql = `select internal.decide_estimate($1, $2, $3, 'Maria Delgado', '', false) as answer`
const decide = async (id: string, approved: string[], hash?: string) =>
  call(decideSql, [id, hash ?? (await sentRevisionOf(id)).revisionHash, approved], asServer)
const recordSql = `select public.record_authorization($1, $2, $3, 'phone', 'Maria Delgado', '', '+1 650 555 0167',
  'Go ahead.', internal.current_instant()) as answer`
const record = async (id: string, decisions: Record<string, string>, declinedId?: number) =>
  call(recordSql, await recordValues(id, decisions, declinedId))
const recordValues = async (id: string, decisions: Record<string, string>, declinedId?: number) => [
  id,
  (await read(id)).version,
  JSON.stringify(
    Object.entries(decisions).map(([jobKey, decision]) => ({ jobKey, decision, declinedId })),
  ),
]
const listed = async (term: string) =>
  estimateList.parse(await call('select public.list_estimates($1) as answer', [term]))
const claimSql = `select internal.claim_estimate_invoice($1, $2, 'ana') as answer`
const claim = async (id: string) => call(claimSql, [id, (await read(id)).version], asServer)

/** Creates an estimate with the given jobs and sends it. */
async function sent(jobs = [estimateJob()]) {
  const id = await create()
  await save(id, estimateDocument(jobs))
  await send(id)
  return id
}
const withPrice = (unitPriceCents: number, key: string = randomUUID()) =>
  estimateJob({ key, lines: [{ ...laborLine, quantityThousandths: 1000, unitPriceCents }] })

describe('An estimate', () => {
  it('begins with the given customer and jobs', async () => {
    const job = estimateJob()
    const customer = { name: 'Ivo Reyes', email: 'ivo@customer.example', phone: '' }
    const { document } = await read(await create({ customer, jobs: [job] }))
    expect(document).toMatchObject({ customer, jobs: [job] })
  })

  it('is created once from an appointment, with its customer and vehicle, and is listed in the repair records of the appointment', async () => {
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId)),
    )
    const { rows } = await shop.owner.query('select id, repair_id from public.bookings')
    const id = await create({ bookingId: rows[0].id })
    expect(await create({ bookingId: rows[0].id })).toBe(id)
    const made = await read(id)
    expect(made.document.customer.name).toBe('Dana Whitfield')
    expect(made.document.vehicle.model).toBe('Outback')
    expect(made.repairRecords.map(({ kind }) => kind).sort()).toEqual(['booking', 'estimate'])
    expect(made.state).toBe('draft')
    expect(made.document.goodUntil).toBe('2026-12-04')
  })

  it('begins with one job for the service of its appointment: the hours of the service at the labor rate', async () => {
    const service = await addService(shop, 'AC Recharge', 50)
    const { rows } = await shop.owner.query(
      `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_phone, bay_id)
       values ($1, '2026-11-24', '11:00', 1500, 'Dana Whitfield', '(650) 555-0133', null) returning id`,
      [service],
    )
    const { jobs } = (await read(await create({ bookingId: rows[0].id }))).document
    const line = { ...laborLine, description: 'AC Recharge', quantityThousandths: 833 }
    const job = {
      title: 'AC Recharge',
      customerDescription: '',
      isNeeded: true,
      measurement: null,
      tearDown: null,
    }
    expect(jobs).toEqual([
      { ...job, key: expect.any(String), lines: [{ ...line, unitPriceCents: 14_500 }] },
    ])
  })

  it('begins with the hours of the service and no price in a shop without a labor rate', async () => {
    await shop.owner.query('update public.estimate_rules set labor_rate_cents = 0')
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, { appointment_time: '17:00:00' })),
    )
    const { rows } = await shop.owner.query(
      'select id from public.bookings order by created_at desc, id limit 1',
    )
    const { jobs } = (await read(await create({ bookingId: rows[0].id }))).document
    expect(jobs[0]?.lines).toMatchObject([{ quantityThousandths: 1000, unitPriceCents: 0 }])
    await shop.owner.query('update public.estimate_rules set labor_rate_cents = 14500')
  })

  it('begins without jobs when it is created without an appointment', async () => {
    expect((await read(await create())).document.jobs).toEqual([])
  })

  it('is created once when two requests for one appointment are concurrent', async () => {
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, { appointment_time: '15:00:00' })),
    )
    const { rows } = await shop.owner.query(
      'select id from public.bookings order by created_at desc limit 1',
    )
    const source = { bookingId: rows[0].id }
    let second: Promise<string> | undefined
    const first = await shop.database.transaction(admin, async (query) => {
      const [made] = await query.unchecked('select public.create_estimate($1) as answer', [source])
      const other = { isOver: false }
      second = create(source).finally(() => (other.isOver = true))
      const waits = `select from pg_locks where not granted`
      while (!other.isOver && (await shop.owner.query(waits)).rowCount === 0);
      return made?.['answer'].id
    })
    expect(await second).toBe(first)
  })

  it('is created from a quote request whose email address is invalid, without that email address', async () => {
    const quote = { name: 'Dana Whitfield', email: 'dana,whitfield@example.com', phone: null }
    const vehicle = { vehicle_year: '2019', vehicle_make: 'Subaru', vehicle_model: 'Outback' }
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'quote_requests', { ...quote, ...vehicle, description: 'It squeaks.' }),
    )
    const { rows } = await shop.owner.query(
      'select id from public.quote_requests where email = $1',
      [quote.email],
    )
    const { customer } = (await read(await create({ quoteRequestId: rows[0].id }))).document
    expect(customer).toEqual({ name: 'Dana Whitfield', email: '', phone: '' })
  })

  it('is saved as entered, and saving it again without a change changes nothing', async () => {
    const id = await create()
    const document = estimateDocument([
      estimateJob({ measurement: { value: 2, limit: 3, whenNew: 11, unit: 'mm' } }),
      estimateJob({ isNeeded: false, lines: [] }),
    ])
    await save(id, document)
    expect((await read(id)).document).toEqual(document)
    await save(id, (await read(id)).document)
    expect((await read(id)).document).toEqual(document)
  })

  it('refuses a save that would overwrite a change from another window', async () => {
    const id = await create()
    const { version } = await read(id)
    await save(id, estimateDocument(), version)
    const refused = await refusal(saveSql, [id, version, JSON.stringify(estimateDocument())])
    expect(refused).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
  })

  const line = (change: Partial<EstimateLine>) => ({ ...laborLine, ...change })
  it.each([
    ['a part with a negative price', line({ kind: 'part', subtype: 'new', unitPriceCents: -1 })],
    ['a negative quantity', line({ quantityThousandths: -1 })],
    ['a part without its condition', line({ kind: 'part', subtype: '' })],
    ['a taxed battery fee', line({ kind: 'fee', subtype: 'battery', isTaxable: true })],
    [
      'a discount of 101 percent',
      line({
        kind: 'discount',
        subtype: 'percent',
        quantityThousandths: 101_000,
        unitPriceCents: 0,
      }),
    ],
    ['a line of an unknown kind', { ...laborLine, kind: 'gift' }],
  ])('is refused with %s', async (_, wrong) => {
    const id = await create()
    const document = { ...estimateDocument(), jobs: [{ ...estimateJob(), lines: [wrong] }] }
    const refused = await refusal(saveSql, [id, 1, JSON.stringify(document)])
    expect(refused.code).toBe('23514')
  })

  it('keeps its jobs when a save contains none, and refuses jobs that no page can display', async () => {
    const id = await create()
    await save(id, estimateDocument())
    const { version } = await read(id)
    const change = async (part: object) =>
      (await refusal(saveSql, [id, version, { ...estimateDocument(), ...part }])).code
    expect(await change({ jobs: undefined })).toBe('TT074')
    expect(await change({ jobs: [{ ...estimateJob(), lines: undefined }] })).toBe('TT074')
    expect(await change({ goodUntil: 'infinity' })).toBe('23514')
    const measurement = { value: 2, limit: 3, whenNew: 11 }
    for (const odd of [{}, 5, measurement, { ...measurement, unit: 7 }]) {
      expect(await change({ jobs: [{ ...estimateJob(), measurement: odd }] })).toBe('23514')
    }
    expect((await read(id)).document.jobs).toHaveLength(1)
  })

  it('accepts 300 lines and refuses 301', async () => {
    const id = await create()
    const jobs = (count: number) => [
      estimateJob({ lines: Array.from({ length: 200 }, () => laborLine) }),
      estimateJob({ lines: Array.from({ length: count - 200 }, () => laborLine) }),
    ]
    await save(id, estimateDocument(jobs(300)))
    const refused = await refusal(saveSql, [id, 2, JSON.stringify(estimateDocument(jobs(301)))])
    expect(refused).toMatchObject({ code: 'TT074', hint: 'too_many_lines' })
  })

  it.each([
    [
      'no customer name',
      estimateDocument(undefined, { customer: { name: ' ', email: '', phone: '' } }),
      'name_missing',
    ],
    ['no job', estimateDocument([]), 'no_jobs'],
    [
      'a discount above the total of its job',
      estimateDocument([
        estimateJob({
          lines: [
            laborLine,
            line({
              kind: 'discount',
              subtype: 'amount',
              quantityThousandths: 1000,
              unitPriceCents: 17_401,
            }),
          ],
        }),
      ]),
      'discount_above_job',
    ],
    [
      'shop supplies',
      estimateDocument([
        estimateJob({
          lines: [line({ kind: 'fee', subtype: 'other', description: 'Shop Supplies' })],
        }),
      ]),
      'generic_supplies',
    ],
    [
      'hazardous waste without the EPA number',
      estimateDocument([
        estimateJob({
          lines: [laborLine, line({ kind: 'fee', subtype: 'hazardous_waste', description: 'Oil' })],
        }),
      ]),
      'hazardous_waste_needs_epa',
    ],
    [
      'hazardous waste under another name of the fee',
      estimateDocument([
        estimateJob({
          lines: [line({ kind: 'fee', subtype: 'other', description: 'Used coolant disposal' })],
        }),
      ]),
      'hazardous_waste_needs_epa',
    ],
  ])('with %s can be saved as a draft, but cannot be sent', async (_, document, hint) => {
    const id = await create()
    const saved = await save(id, document)
    expect(saved.problems.map(({ code }) => code)).toContain(hint)
    const refused = await refusal(freezeSql, [id, saved.version], asServer)
    expect(refused).toMatchObject({ code: 'TT074', hint })
  })

  it('counts the same lines as hazardous-waste fees in the database as on the page', async () => {
    const descriptions = [...hazardousFees, ...otherFees]
    const { rows } = await shop.owner.query<{ isHazardous: boolean }>(
      `select internal.is_hazardous_waste_fee(description) as "isHazardous"
       from unnest($1::text[]) with ordinality given (description, place) order by place`,
      [descriptions],
    )
    expect(rows.map(({ isHazardous }) => isHazardous)).toEqual(
      descriptions.map(isHazardousWasteFee),
    )
  })

  it('has the same total in the database as on the pages, for any lines and any tax rate', async () => {
    const id = await create()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEstimateLine, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 150_000 }),
        async (jobs, taxRate) => {
          await save(id, estimateDocument(jobs.map((lines) => estimateJob({ lines }))))
          await shop.owner.query(
            'update public.estimate_revisions set tax_rate = $1 where estimate_id = $2',
            [taxRate, id],
          )
          const { jobs: counted, document } = await read(id)
          expect(document.jobs.map(({ lines }) => lines)).toEqual(jobs)
          const ours = jobs.map((lines) => jobTotals(lines, taxRate))
          expect(counted.map(({ totalCents }) => totalCents)).toEqual(
            ours.map(({ total }) => total),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('A sent revision of an estimate', () => {
  it('never changes; an edit creates the next revision, which has no approvals', async () => {
    const job = estimateJob()
    const id = await sent([job])
    const first = await sentRevisionOf(id)
    await decide(id, [job.key])
    await save(id, estimateDocument([{ ...job, lines: [laborLine] }]))
    const after = await read(id)
    expect(after).toMatchObject({ revision: 2, isFrozen: false, state: 'draft' })
    expect(await sentRevisionOf(id)).toMatchObject({
      revisionHash: first.revisionHash,
      revision: 1,
    })
    expect(after.authorizations.map(({ revision }) => revision)).toEqual([1])
    const refused = await refusalTo(shop.database, asServer, () =>
      shop.owner.query(
        'update public.estimate_lines set unit_price_cents = 1 where estimate_id = $1 and revision = 1',
        [id],
      ),
    )
    expect(refused).toMatchObject({ code: 'TT076', hint: 'frozen' })
  })

  it('is approved job by job, and a repeated decision changes nothing', async () => {
    const [brakes, coolant] = [
      estimateJob(),
      estimateJob({ title: 'Coolant flush', isNeeded: false }),
    ]
    const id = await sent([brakes, coolant])
    expect(await decide(id, [brakes.key])).toBe('approved')
    expect(await decide(id, [brakes.key, coolant.key])).toBe('unchanged')
    const after = await read(id)
    expect(after.authorizations.map(({ jobTitle, decision }) => [jobTitle, decision])).toEqual([
      ['Front brakes', 'approved'],
      ['Coolant flush', 'declined'],
    ])
    expect(after.state).toBe('approved')
    expect(after.authorizedCents).toBe(after.jobs[0]?.totalCents)
    expect(after.authorizations.at(-1)?.runningTotalCents).toBe(after.authorizedCents)
  })

  it('is not approved by a decision about another revision', async () => {
    const job = estimateJob()
    const id = await sent([job])
    const { revisionHash } = await sentRevisionOf(id)
    await save(id, estimateDocument([{ ...job, title: 'Front and rear brakes' }]))
    await send(id)
    expect(await decide(id, [job.key], revisionHash)).toBe('version_conflict')
    expect((await read(id)).authorizations).toEqual([])
  })

  it('can be followed by an edited revision while its customer is being merged, without a deadlock', async () => {
    const addEstimateOfCustomer = async () => {
      const customer = { name: 'Maria', email: `${randomUUID()}@example.com`, phone: '' }
      const document = estimateDocument(undefined, { customer })
      const id = await create()
      await save(id, document)
      await send(id)
      const { rows } = await shop.owner.query(
        `select person.id, person.version from public.customers person
         join public.estimates estimate on estimate.customer_id = person.id where estimate.id = $1`,
        [id],
      )
      return { id, document, customer: rows[0] }
    }
    const [kept, duplicate] = [await addEstimateOfCustomer(), await addEstimateOfCustomer()]
    const { version } = await read(duplicate.id)
    let merge: Promise<unknown> | undefined
    await shop.database.transaction(admin, async (query) => {
      await query.unchecked('select public.create_estimate_tasks($1)', [duplicate.id])
      merge = call('select public.merge_customers($1, $2, $3, $4) as answer', [
        kept.customer.id,
        duplicate.customer.id,
        kept.customer.version,
        duplicate.customer.version,
      ])
      const waits = `select from pg_locks where not granted`
      while ((await shop.owner.query(waits)).rowCount === 0);
      await query.unchecked(saveSql, [duplicate.id, version, JSON.stringify(duplicate.document)])
    })
    expect(await merge).toBeTruthy()
  })

  it('can be created whatever text the fields of the vehicle contain', async () => {
    const { vehicle } = estimateDocument()
    for (const odd of [{ year: '2014 or 2015, they were not sure' }, { plate: '   ' }]) {
      const email = `${randomUUID()}@example.com`
      const customer = { name: 'Maria Delgado', email, phone: '' }
      const id = await create()
      await save(id, estimateDocument(undefined, { customer, vehicle: { ...vehicle, ...odd } }))
      await send(id)
      expect((await read(id)).isFrozen).toBe(true)
    }
  })

  it('can be approved until the end of its last day in shop time', async () => {
    const job = estimateJob()
    const id = await sent([job])
    const { revisionHash } = await sentRevisionOf(id)
    await setShopClock(shop.owner, '2026-12-09T08:00:00Z')
    expect((await sentRevisionOf(id)).state).toBe('expired')
    expect(await decide(id, [job.key], revisionHash)).toBe('expired')
    await setShopClock(shop.owner, '2026-12-09T07:59:59Z')
    expect(await decide(id, [job.key], revisionHash)).toBe('approved')
  })

  it('keeps its tax rate when the tax rate in the settings changes', async () => {
    const id = await create()
    await save(id, estimateDocument())
    const before = await read(id)
    await shop.owner.query(`insert into public.tax_rates values ('2026-11-20', 100000)`)
    try {
      await save(id, before.document)
      const after = await read(id)
      expect(after).toMatchObject({ taxRate: 91_250, todaysTaxRate: 100_000 })
      expect(after.jobs).toEqual(before.jobs)
      await call('select public.use_todays_tax_rate($1, $2) as answer', [id, after.version])
      expect((await read(id)).taxRate).toBe(100_000)
    } finally {
      await shop.owner.query(`delete from public.tax_rates where rate = 100000`)
    }
  })

  it('shows the customer neither the internal note nor the VIN', async () => {
    const id = await create()
    await save(
      id,
      estimateDocument(undefined, {
        internalNote: 'Slow payer',
        vehicle: { ...estimateDocument().vehicle, vin: '4S4BSANC5K3300001' },
      }),
    )
    await send(id)
    const shown = JSON.stringify(await sentRevisionOf(id))
    expect(shown).not.toContain('Slow payer')
    expect(shown).not.toContain('4S4BSANC5K3300001')
    expect(shown).not.toContain('8KLM204')
  })
})

describe('An authorization (a customer’s recorded decision about an estimate)', () => {
  it('by phone requires the name, the phone number and a time that is not in the future', async () => {
    const job = estimateJob()
    const id = await create()
    await save(id, estimateDocument([job]))
    await record(id, { [job.key]: 'approved' })
    const [line] = (await read(id)).authorizations
    expect(line).toMatchObject({
      method: 'phone',
      decidedByName: 'Maria Delgado',
      contact: '+1 650 555 0167',
      recordedBy: 'ana',
    })
    const { version } = await read(id)
    const decisions = JSON.stringify([{ jobKey: job.key, decision: 'withdrawn' }])
    const withoutNumber = recordSql.replace("'+1 650 555 0167'", "''")
    expect((await refusal(withoutNumber, [id, version, decisions])).code).toBe('23514')
    const withoutName = recordSql.replace("'Maria Delgado'", "' '")
    expect((await refusal(withoutName, [id, version, decisions])).code).toBe('23514')
    const ahead = recordSql.replace('internal.current_instant()', "now() + interval '1 day'")
    expect((await refusal(ahead, [id, version, decisions])).code).toBe('23514')
  })

  it('is refused after the last valid day of the estimate, and when it states an impossible time', async () => {
    const job = withPrice(10_000)
    const decisions = JSON.stringify([{ jobKey: job.key, decision: 'approved' }])
    const id = await create()
    await save(id, estimateDocument([job], { goodUntil: '2026-11-19' }))
    const { version } = await read(id)
    const values = [id, version, decisions]
    expect(await refusal(recordSql, values)).toMatchObject({ code: 'TT073', hint: 'expired' })
    const recordSqlAt = (when: string) =>
      recordSql.replace('internal.current_instant()', `'${when}'`)
    expect((await refusal(recordSqlAt('-infinity'), values)).code).toBe('23514')
    expect((await read(id)).isFrozen).toBe(false)
    await call(recordSqlAt('2026-11-19T23:59:00-08:00'), values)
    expect((await read(id)).authorizedCents).toBe(10_000)
  })

  it('requires at least one job; a decision without jobs does not freeze the draft', async () => {
    const id = await create()
    await save(id, estimateDocument())
    const { version } = await read(id)
    for (const nothing of [null, '[]']) {
      expect(await refusal(recordSql, [id, version, nothing])).toMatchObject({ code: 'TT077' })
    }
    expect((await read(id)).isFrozen).toBe(false)
  })

  it('of a job that costs nothing counts as an approval, even in the list of estimates', async () => {
    const job = withPrice(0)
    const id = await sent([job])
    expect(await decide(id, [job.key])).toBe('approved')
    const { state, number } = await read(id)
    const list = await call('select public.list_estimates($1) as answer', [number])
    expect([state, list[0].approvedJobs]).toEqual(['approved', 1])
  })

  it('of a job that was declined is accepted only when the request names the decline that it replaces', async () => {
    const job = withPrice(10_000)
    const id = await sent([job])
    await decide(id, [])
    const approved = { [job.key]: 'approved' }
    for (const unseen of [undefined, 1]) {
      const refused = await refusal(recordSql, await recordValues(id, approved, unseen))
      expect(refused).toMatchObject({ code: 'TT079', hint: 'declined_before' })
    }
    expect((await read(id)).authorizedCents).toBe(0)
    await record(id, approved, (await read(id)).authorizations.at(-1)?.id)
    expect((await read(id)).authorizedCents).toBe(10_000)
  })

  it('of one job makes the estimate approved, whether or not the estimate was sent', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const jobs = [withPrice(10_000, a), withPrice(5000, b)]
    const draft = await create()
    await save(draft, estimateDocument(jobs))
    const seen = await sent(jobs)
    const { revisionHash } = await sentRevisionOf(seen)
    await call(
      'select internal.record_sent_revision_viewed($1, $2) as answer',
      [seen, revisionHash],
      asServer,
    )
    for (const id of [draft, seen]) {
      await record(id, { [b]: 'declined' })
      expect((await read(id)).state).toBe(id === seen ? 'seen' : 'draft')
      await record(id, { [a]: 'approved' })
      const after = await read(id)
      expect(after).toMatchObject({ state: 'approved', authorizedCents: 10_000 })
      expect(await listed(after.number)).toMatchObject([{ state: 'approved', approvedJobs: 1 }])
    }
  })

  it('of an earlier revision leaves a later sent revision undecided', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const id = await sent([withPrice(10_000, a)])
    await decide(id, [a])
    await save(id, estimateDocument([withPrice(10_000, a), withPrice(5000, b)]))
    await send(id)
    expect((await read(id)).state).toBe('sent')
    expect((await read(id)).jobs.map(({ isSameWork }) => isSameWork)).toEqual([true, false])
  })

  it('is printed only if the price of its job has not increased since the approval', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const id = await sent([withPrice(10_000, a), withPrice(5000, b)])
    await decide(id, [a, b])
    await save(id, estimateDocument([withPrice(12_000, a), withPrice(4000, b)]))
    const printed = () =>
      call('select internal.read_printable_estimate($1, false) as answer', [id], asServer)
    expect((await printed()).decisions).toEqual({ [b]: 'approved' })
    await record(id, { [a]: 'declined' })
    expect((await printed()).decisions).toEqual({ [a]: 'declined', [b]: 'approved' })
  })

  it('changes the authorized total when it approves a higher price or withdraws an approval', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const id = await sent([withPrice(10_000, a), withPrice(5000, b)])
    await decide(id, [a, b])
    expect((await read(id)).authorizedCents).toBe(15_000)
    await save(id, estimateDocument([withPrice(12_000, a), withPrice(5000, b)]))
    expect((await read(id)).authorizedCents).toBe(15_000)
    await record(id, { [a]: 'declined' })
    expect((await read(id)).authorizedCents).toBe(15_000)
    const [refused] = (await read(id)).authorizations.slice(-1)
    await record(id, { [a]: 'approved' }, refused?.id)
    expect((await read(id)).authorizedCents).toBe(17_000)
    await record(id, { [b]: 'withdrawn' })
    const after = await read(id)
    expect(after.authorizedCents).toBe(12_000)
    expect(after.authorizations.map((line) => line.runningTotalCents)).toEqual([
      10_000, 15_000, 15_000, 17_000, 12_000,
    ])
  })

  it('is requested only for new jobs; approved jobs keep their price', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const id = await sent([withPrice(10_000, a)])
    await decide(id, [a])
    await save(id, estimateDocument([withPrice(10_000, a), withPrice(5000, b)]))
    await send(id)
    expect((await read(id)).state).toBe('sent')
    expect(await decide(id, [b])).toBe('approved')
    expect((await read(id)).authorizations.map(({ jobKey }) => jobKey)).toEqual([a, b])
    expect((await read(id)).authorizedCents).toBe(15_000)
  })

  it('is not requested for a revision in which every job is already approved', async () => {
    const job = estimateJob()
    const id = await sent([job])
    await decide(id, [job.key])
    await save(id, estimateDocument([job], { customerNote: 'Ready on Friday.' }))
    await send(id)
    const after = await read(id)
    expect(after).toMatchObject({ state: 'approved', sentAt: null, revision: 2 })
    expect(await sentRevisionOf(id)).toMatchObject({ state: 'decided', revision: 2 })
    expect(after.authorizations).toHaveLength(1)
  })

  it.each([
    'update public.authorizations set amount_cents = 1',
    'delete from public.authorizations',
    'truncate public.authorizations',
    'truncate public.estimates cascade',
  ])('cannot be changed, even by the owner of the table: %s', async (sql) => {
    const job = estimateJob()
    await decide(await sent([job]), [job.key])
    const refused = await refusalTo(shop.database, asServer, () => shop.owner.query(sql))
    expect(refused.code).toBe('TT055')
  })

  it.each([
    ['admin', admin],
    ['signed-in user', signedInStranger],
    ['visitor', visitor],
    ['server', asServer],
  ])('cannot be inserted by the %s without a procedure', async (_, identity) => {
    const refused = await refusal(
      'insert into public.authorizations (job_title) values (1)',
      [],
      identity,
    )
    expect(refused.code).toBe('42501')
  })

  it('can be read by the admin only', async () => {
    const job = estimateJob()
    const id = await sent([job])
    await decide(id, [job.key])
    for (const identity of [signedInStranger, visitor]) {
      const seen = await shop.database
        .transaction(identity, (query) => query.unchecked('select * from public.authorizations'))
        .catch(() => [])
      expect(seen).toEqual([])
      expect((await refusal('select public.read_estimate($1)', [id], identity)).code).toBe('42501')
    }
  })
})

describe('The work of an approved estimate', () => {
  it('becomes one task for each approved job, even when the tasks are requested twice', async () => {
    const [a, b] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await sent([a, b])
    await decide(id, [a.key])
    const { rows } = await shop.owner.query(
      `insert into public.employees (name, email) values ('Ana Reyes', 'ana@shop.example') returning id`,
    )
    const make = () =>
      call('select public.create_estimate_tasks($1, $2) as answer', [id, rows[0].id])
    expect(await make()).toBe(1)
    expect(await make()).toBe(0)
    const assigned = `select title from public.tasks where estimate_id = $1 and assigned_to = $2`
    expect((await shop.owner.query(assigned, [id, rows[0].id])).rows).toEqual([{ title: a.title }])
    const after = await read(id)
    expect(after.jobs.map(({ taskId }) => taskId !== null)).toEqual([true, false])
    expect(after.repairRecords.map(({ kind }) => kind)).toContain('task')
  })

  it('states in each task whether the customer asked for the replaced parts in the latest approval', async () => {
    const slot = { appointment_date: '2026-12-02', appointment_time: '11:30:00' }
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, slot)),
    )
    const { rows } = await shop.owner.query(
      `select id from public.bookings where appointment_date = '2026-12-02'`,
    )
    const [brakes, coolant] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await create({ bookingId: rows[0].id })
    await save(id, estimateDocument([brakes, coolant]))
    const approve = async (job: string, wantsPartsBack: boolean) =>
      call(
        `select public.record_authorization($1, $2, $3, 'in_person', 'Maria Delgado', '', '', '',
           internal.current_instant(), wants_parts_back => $4) as answer`,
        [...(await recordValues(id, { [job]: 'approved' })), wantsPartsBack],
      )
    const readWanted = async (identity: Identity = admin) =>
      shop.database.transaction(identity, (query) =>
        query.unchecked(
          `select title, public.wants_parts_back(tasks) as wanted from public.tasks
           where booking_id = $1 order by title`,
          [rows[0].id],
        ),
      )
    const addTask = `insert into public.tasks (title, booking_id) values ('Brake noise', $1) returning id as answer`
    await call(addTask, [rows[0].id])
    expect(await readWanted()).toEqual([{ title: 'Brake noise', wanted: false }])
    await approve(brakes.key, true)
    await approve(coolant.key, false)
    await call('select public.create_estimate_tasks($1) as answer', [id])
    expect(await readWanted()).toEqual([
      { title: 'Brake noise', wanted: true },
      { title: 'Coolant flush', wanted: false },
      { title: brakes.title, wanted: true },
    ])
    await approve(brakes.key, false)
    expect((await readWanted()).map((task) => task['wanted'])).toEqual([false, false, false])
  })

  it('can be found from its quote request, appointment, estimate, task or invoice', async () => {
    const slot = { appointment_date: '2026-12-01', appointment_time: '11:30:00' }
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(serviceId, slot)),
    )
    const { rows } = await shop.owner.query(
      `select id, repair_id from public.bookings where appointment_date = '2026-12-01'`,
    )
    await shop.owner.query(
      `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description, repair_id)
       values ('Dana Whitfield', 'dana@example.com', '2019', 'Subaru', 'Outback', 'It squeaks.', $1)`,
      [rows[0].repair_id],
    )
    const job = estimateJob()
    const id = await create({ bookingId: rows[0].id })
    await save(id, estimateDocument([job]))
    await send(id)
    await decide(id, [job.key])
    await call('select public.create_estimate_tasks($1) as answer', [id])
    const { requestId } = await claim(id)
    await call(
      `select internal.record_estimate_invoice_state($1, 'made', 'in_repair', 'INV-1') as answer`,
      [requestId],
      asServer,
    )
    const records = (await read(id)).repairRecords
    expect(records.map(({ kind }) => kind).sort()).toEqual([
      'booking',
      'estimate',
      'invoice',
      'quote',
      'task',
    ])
    for (const record of records) {
      const found = await call('select public.list_repair_records($1, $2) as answer', [
        record.kind,
        record.id,
      ])
      expect(found).toEqual(records)
    }
    const refused = await refusal(
      'select public.list_repair_records($1, $2)',
      ['estimate', id],
      visitor,
    )
    expect(refused.code).toBe('42501')
  })

  it('is retained for three years: estimate, task, appointment and quote request', async () => {
    const job = estimateJob()
    const id = await sent([job])
    await decide(id, [job.key])
    await call('select public.create_estimate_tasks($1) as answer', [id])
    const { jobs } = await read(id)
    expect(await refusal('select public.delete_estimate($1)', [id])).toMatchObject({
      code: 'TT076',
      hint: 'record_retained',
    })
    expect(
      await refusal('delete from public.tasks where id = $1', [jobs[0]?.taskId]),
    ).toMatchObject({
      code: 'TT076',
      message: expect.stringContaining('2029'),
    })
    const draft = await create()
    await call('select public.delete_estimate($1) as answer', [draft])
    expect((await refusal('select public.read_estimate($1)', [draft])).code).toBe('TT071')
  })

  it('is removed from the list of tasks by the clean-up, but remains stored', async () => {
    const job = estimateJob()
    const id = await sent([job])
    await decide(id, [job.key])
    await call('select public.create_estimate_tasks($1) as answer', [id])
    const taskId = (await read(id)).jobs[0]?.taskId
    const to = (status: string) =>
      call(`select public.update_task_status($1, $2, null, null, 'ana')::text as answer`, [
        taskId,
        status,
      ])
    const cleanUp = () => call('select public.clean_up_tasks(array[$1::uuid]) as answer', [taskId])
    expect(await cleanUp()).toBe(0)
    await to('completed')
    expect(await cleanUp()).toBe(1)
    const archived = () =>
      call('select archived_at is not null as answer from public.tasks where id = $1', [taskId])
    expect(await archived()).toBe(true)
    await to('in_progress')
    expect(await archived()).toBe(false)
  })

  it('can be saved as canned jobs, which are identified by their titles', async () => {
    const kept = { ...estimateJob({ title: 'Rear brakes' }), key: undefined }
    await call('select public.save_canned_job($1) as answer', [JSON.stringify(kept)])
    await call('select public.save_canned_job($1) as answer', [
      JSON.stringify({ ...kept, isNeeded: false }),
    ])
    const found = cannedJobs.parse(await call(`select public.find_canned_jobs('bra') as answer`))
    expect(found.map(({ job }) => [job.title, job.isNeeded, job.lines.length])).toEqual([
      ['Rear brakes', false, 2],
    ])
  })

  it('is found by estimate number, customer name and plate', async () => {
    const id = await sent([estimateJob({ lines: [partLine] })])
    const { number } = await read(id)
    const list = estimateList.parse(
      await call(`select public.list_estimates($1, 'sent') as answer`, [number]),
    )
    expect(list.map((entry) => entry.id)).toEqual([id])
  })
})

describe('An invoice', () => {
  it('contains the approved jobs, and a repeated request returns the same invoice instead of a second one', async () => {
    const [a, b] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
    const id = await sent([a, b])
    await decide(id, [a.key])
    const first = await claim(id)
    expect(first.jobs.map(({ title }: { title: string }) => title)).toEqual(['Front brakes'])
    expect(first.totalCents).toBe((await read(id)).authorizedCents)
    expect(await claim(id)).toEqual(first)
    const { state, number } = await read(id)
    expect(state).toBe('invoiced')
    const [entry] = await listed(number)
    expect(entry?.invoicedCents).toBe(first.totalCents)
    expect(entry?.totalCents).toBeGreaterThan(first.totalCents)
    expect(
      await refusal(saveSql, [id, (await read(id)).version, JSON.stringify(estimateDocument())]),
    ).toMatchObject({ code: 'TT075' })
  })

  it('is refused one cent above the approved total, and accepted one cent below', async () => {
    const key = randomUUID()
    const id = await sent([withPrice(10_000, key)])
    await decide(id, [key])
    await save(id, estimateDocument([withPrice(10_001, key)]))
    const refused = await refusal(claimSql, [id, (await read(id)).version], asServer)
    expect(refused).toMatchObject({ code: 'TT072', hint: 'above_authorized' })
    await save(id, estimateDocument([withPrice(9999, key)]))
    expect((await claim(id)).totalCents).toBe(9999)
  })

  it('cannot be raised above the approved total, even by the owner of the table', async () => {
    const key = randomUUID()
    const id = await sent([withPrice(10_000, key)])
    await decide(id, [key])
    const made = await claim(id)
    const codes: string[] = []
    for (const sql of [
      `update public.estimate_invoice_jobs set cents = 10001 where claim_id = '${made.requestId}'`,
      `update public.estimate_invoices set total_cents = 10001 where id = '${made.requestId}'`,
      `insert into public.estimate_invoice_jobs values ('${made.requestId}', '${randomUUID()}', 1)`,
    ]) {
      codes.push((await refusalTo(shop.database, asServer, () => shop.owner.query(sql))).code)
    }
    expect(codes).toEqual(['TT055', 'TT076', 'TT072'])
  })

  it('is refused without an approval, and after the approval was withdrawn', async () => {
    const key = randomUUID()
    const id = await sent([withPrice(10_000, key)])
    expect(await refusal(claimSql, [id, (await read(id)).version], asServer)).toMatchObject({
      code: 'TT077',
    })
    await decide(id, [key])
    await record(id, { [key]: 'withdrawn' })
    expect(await refusal(claimSql, [id, (await read(id)).version], asServer)).toMatchObject({
      code: 'TT077',
    })
  })

  it('can be created again after it was voided', async () => {
    const key = randomUUID()
    const id = await sent([withPrice(10_000, key)])
    await decide(id, [key])
    const first = await claim(id)
    const note = (state: string) =>
      call(
        `select internal.record_estimate_invoice_state($1, $2, 'in_' || $3, 'INV-' || $3) as answer`,
        [first.requestId, state, key.slice(0, 8)],
        asServer,
      )
    expect(await note('made')).toBe(true)
    expect(await note('made')).toBe(false)
    expect(await note('voided')).toBe(true)
    expect((await claim(id)).requestId).not.toBe(first.requestId)
  })
})
