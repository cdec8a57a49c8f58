import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  refusalTo,
  fixtureClock,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Brake inspection', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await setShopClock(shop.owner, fixtureClock)
  await runQuery(
    truncateTables(
      'public.bookings',
      'public.quote_requests',
      'public.customers',
      'public.merges',
      'public.invoices',
      'public.estimates',
      'public.tasks',
      'public.emails',
      'internal.visit_link_requests',
      'internal.visitor_emails',
    ),
  )
})

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const refusal = (call: string, values: unknown[]) =>
  refusalTo(shop.database, admin, (query) => query.unchecked(`select public.${call}`, values))

type TestBooking = { name?: string; phone?: string; email?: string; day?: string; model?: string }
async function come(booking: TestBooking = {}) {
  const {
    name = 'Zoë Quartermain',
    phone = '(650) 555-0143',
    email = 'zoe.q@example.com',
  } = booking
  const { day = '2026-10-01', model = 'Outback' } = booking
  const [row] = await runQuery<{ id: string; customer: string; vehicle: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     values ($1, $2, '12:00', 30, $3, $4, $5, '2019', 'Subaru', $6)
     returning id, customer_id as customer, vehicle_id as vehicle`,
    [serviceId, day, name, email, phone, model],
  )
  return row ?? { id: '', customer: '', vehicle: '' }
}
const sam = { name: 'Sam Okafor', phone: '(650) 555-0155', email: 'sam@example.com' }
const versionOf = async (id: string, table = 'customers') => {
  const [row] = await runQuery<{ version: number }>(
    `select version from public.${table} where id = $1`,
    [id],
  )
  return row?.version ?? 0
}
const erase = async (customer: string) =>
  runQuery('select internal.erase_customer($1, $2, $3)', [
    customer,
    await versionOf(customer),
    'ana',
  ])
const merge = async (survivor: string, duplicate: string) =>
  asAdmin('select public.merge_customers($1, $2, $3, $4)', [
    survivor,
    duplicate,
    await versionOf(survivor),
    await versionOf(duplicate),
  ])

describe('an erased customer', () => {
  it('cannot be merged in either direction, and cannot be changed', async () => {
    const [duplicate, other] = [await come(), await come({ ...sam, day: '2026-10-02' })]
    await erase(duplicate.customer)
    const [version, seen] = [await versionOf(duplicate.customer), await versionOf(other.customer)]
    const vehicleVersion = await versionOf(other.vehicle, 'vehicles')
    const before = await runQuery('select * from public.customers order by id')
    const refused = { code: 'TT090' }
    expect(
      await refusal('merge_customers($1, $2, $3, $4)', [
        duplicate.customer,
        other.customer,
        version,
        seen,
      ]),
    ).toMatchObject(refused)
    expect(
      await refusal('merge_customers($1, $2, $3, $4)', [
        other.customer,
        duplicate.customer,
        seen,
        version,
      ]),
    ).toMatchObject(refused)
    expect(
      await refusal('save_customer($1, $2, $3, $4, $5)', [
        duplicate.customer,
        version,
        'Zoë',
        '',
        '',
      ]),
    ).toMatchObject(refused)
    expect(
      await refusal('change_vehicle_owner($1, $2, $3)', [
        other.vehicle,
        vehicleVersion,
        duplicate.customer,
      ]),
    ).toMatchObject(refused)
    expect(
      await refusal(`save_vehicle(null, null, $1, '2019', 'Kia', 'Soul', '', '', '', '')`, [
        duplicate.customer,
      ]),
    ).toMatchObject(refused)
    expect(
      await refusal(`save_vehicle($1, $2, $3, '2019', 'Kia', 'Soul', '', '8KLM204', '', '')`, [
        duplicate.vehicle,
        await versionOf(duplicate.vehicle, 'vehicles'),
        duplicate.customer,
      ]),
    ).toMatchObject(refused)
    expect(await refusal('split_booking($1)', [duplicate.id])).toMatchObject(refused)
    expect(
      await refusal('split_vehicle($1, $2)', [
        duplicate.vehicle,
        await versionOf(duplicate.vehicle, 'vehicles'),
      ]),
    ).toMatchObject(refused)
    expect(await runQuery('select * from public.customers order by id')).toEqual(before)
  })

  it("is not linked to an estimate that staff begin from the customer's appointment", async () => {
    const [duplicate, other] = [await come(), await come({ ...sam, day: '2026-10-02' })]
    await erase(duplicate.customer)
    await runQuery(
      `insert into public.estimates (customer_name, customer_email, booking_id) values ('', '', $1)`,
      [duplicate.id],
    )
    expect(await runQuery('select customer_id from public.estimates')).toEqual([
      { customer_id: null },
    ])
    await runQuery(
      `update public.estimates set customer_name = 'Sam Okafor', customer_email = 'sam@example.com'`,
    )
    expect(await runQuery('select customer_id from public.estimates')).toEqual([
      { customer_id: other.customer },
    ])
  })

  it('is not found by any search', async () => {
    const { customer } = await come()
    await erase(customer)
    for (const term of ['erased', 'Erased Subaru', '2019 Subaru Outback']) {
      const [row] = await asAdmin<{ hits: { customers: unknown[]; vehicles: unknown[] } }>(
        'select public.search_everything($1) as hits',
        [term],
      )
      expect([term, row?.hits.customers, row?.hits.vehicles]).toEqual([term, [], []])
    }
  })

  it('cannot be unmerged, and neither can customers who were merged into the erased one', async () => {
    const [survivor, duplicate] = [await come(), await come({ ...sam, day: '2026-10-02' })]
    await merge(survivor.customer, duplicate.customer)
    const [made] = await runQuery<{ id: string }>(
      `select id from public.merges where kind = 'customer'`,
    )
    await erase(survivor.customer)
    expect(await refusal('unmerge($1)', [made?.id])).toMatchObject({ code: 'TT090' })
    expect(await refusal('read_customer($1)', [duplicate.customer])).toMatchObject({
      code: 'TT090',
    })
    expect(
      await runQuery('select distinct name, erased_at is null as is_known from public.customers'),
    ).toEqual([{ name: 'Erased', is_known: false }])
    expect(await runQuery('select from public.merges')).toEqual([])
  })

  it('leaves no record of its merged duplicate, even if staff transferred the vehicle to a third customer', async () => {
    const [survivor, duplicate] = [await come(), await come({ ...sam, day: '2026-10-02' })]
    const third = await come({
      name: 'Lee Park',
      phone: '(650) 555-0161',
      email: 'lee@example.com',
      day: '2026-10-03',
    })
    await merge(survivor.customer, duplicate.customer)
    await asAdmin('select public.change_vehicle_owner($1, $2, $3)', [
      survivor.vehicle,
      await versionOf(survivor.vehicle, 'vehicles'),
      third.customer,
    ])
    await erase(survivor.customer)
    expect(
      await runQuery(
        `select from public.customers where name in ('Zoë Quartermain', 'Sam Okafor')`,
      ),
    ).toEqual([])
  })
})

describe('the erasure of a customer', () => {
  /** Runs a statement in a transaction, calls `during` while the transaction keeps its locks, and then commits. */
  async function holding<Result>(
    sql: string,
    values: unknown[],
    during: () => Promise<Result>,
  ): Promise<Result> {
    const session = await shop.owner.connect()
    try {
      await session.query('begin')
      await session.query(sql, values)
      const result = await during()
      await session.query('commit')
      return result
    } finally {
      await session.query('rollback')
      session.release()
    }
  }
  async function waiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const [row] = await runQuery<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return row?.waiting
      })
      .toBe(count)
  }
  const requestQuote = () =>
    runQuery<{ id: string; customer: string }>(
      `insert into public.quote_requests (name, email, phone, vehicle_year, vehicle_make, vehicle_model, description)
       values ('Zoë Quartermain', 'zoe.q@example.com', '6505550143', '2019', 'Subaru', 'Outback', 'A clunk.')
       returning id, customer_id as customer`,
    )
  const keys = [['zoe.q@example.com', '6505550143']]

  it('includes records that were written while it waited for a lock, without a deadlock', async () => {
    const { customer } = await come()
    const [, quote] = await holding('select internal.lock_contact_keys($1)', keys, async () => {
      const requested = requestQuote()
      await waiting(1)
      const erased = erase(customer)
      await waiting(2)
      return [erased, requested] as const
    }).then((both) => Promise.all(both))
    expect(quote).toMatchObject([{ customer }])
    expect(await runQuery('select name, email from public.quote_requests')).toEqual([
      { name: 'Erased', email: 'erased@erased.invalid' },
    ])
  })

  it('causes the next record with the same details to create a new customer', async () => {
    const { customer } = await come()
    const version = await versionOf(customer)
    const quote = await holding(
      'select internal.erase_customer($1, $2, $3)',
      [customer, version, 'ana'],
      async () => {
        const requested = requestQuote()
        await waiting(1)
        return [requested] as const
      },
    ).then(([requested]) => requested)
    expect(quote[0]?.customer).not.toBe(customer)
    expect(
      await runQuery('select name, erased_at is null as is_known from public.customers order by 1'),
    ).toEqual([
      { name: 'Erased', is_known: false },
      { name: 'Zoë Quartermain', is_known: true },
    ])
  })

  it('leaves an estimate that staff begin concurrently unlinked from the erased customer', async () => {
    const { customer } = await come()
    const version = await versionOf(customer)
    await holding(
      'select internal.erase_customer($1, $2, $3)',
      [customer, version, 'ana'],
      async () => {
        const begun = runQuery(
          `insert into public.estimates (customer_name, customer_email) values ('Zoë', 'zoe.q@example.com')`,
        )
        await waiting(1)
        return [begun] as const
      },
    ).then(([begun]) => begun)
    expect(await runQuery('select customer_id from public.estimates')).toEqual([
      { customer_id: null },
    ])
  })

  it('does not deadlock with an estimate that is saved concurrently for the same customer', async () => {
    const { customer } = await come()
    await runQuery(
      `insert into public.estimates (customer_name, customer_email) values ('Zoë Quartermain', 'zoe.q@example.com')`,
    )
    const saving = await shop.owner.connect()
    try {
      await saving.query('begin')
      await saving.query('select from public.estimates for update')
      const erased = erase(customer)
      await waiting(1)
      await saving.query(
        `update public.estimates set customer_name = 'Zoë Q', customer_phone = '6505550143'`,
      )
      await saving.query('commit')
      await erased
    } finally {
      saving.release()
    }
    expect(await runQuery('select from public.estimates')).toEqual([])
  })

  it('does not deadlock with the saving of an estimate whose booking is not linked to a customer yet', async () => {
    const { customer } = await come()
    const booking = await come({ ...sam, day: '2026-10-02' })
    await runQuery(`insert into public.estimates (customer_name, booking_id) values ('Sam', $1)`, [
      booking.id,
    ])
    await runQuery('update public.estimates set customer_id = null, vehicle_id = null')
    await runQuery('update public.bookings set customer_id = null where id = $1', [booking.id])
    const saving = await shop.owner.connect()
    try {
      await saving.query('begin')
      await saving.query('select from public.estimates for update')
      const erased = erase(customer)
      await waiting(1)
      // Saving the estimate links its booking to a customer, which locks the booking and the customer's email address
      // and phone number.
      await saving.query(`update public.estimates set customer_email = 'sam@example.com'`)
      await saving.query('commit')
      await erased
    } finally {
      saving.release()
    }
    expect(await runQuery('select customer_name from public.bookings order by 1')).toEqual([
      { customer_name: 'Erased' },
      { customer_name: 'Sam Okafor' },
    ])
  })

  it('is refused while a booking cannot be linked to its customer', async () => {
    const { customer } = await come()
    const { id } = await come({ ...sam, day: '2026-10-02' })
    await runQuery('update public.bookings set customer_id = null where id = $1', [id])
    await runQuery(
      `create function public.refuse_link() returns trigger language plpgsql as
         $$ begin raise exception 'no link'; end $$;
       create trigger t99_refuse_link before update on public.bookings
         for each row when (old.customer_id is null) execute function public.refuse_link()`,
    )
    try {
      await expect(erase(customer)).rejects.toThrow('cannot be linked')
    } finally {
      await runQuery('drop function public.refuse_link() cascade')
    }
  })

  it('deletes drafts of estimates that name the customer but are linked to another customer', async () => {
    await runQuery(
      `insert into public.estimates (number, customer_name, customer_email, customer_phone) values
         ('E-1', 'Zoë', 'Zoe.Q@example.com', ''), ('E-2', 'Zoë', '', '650.555.0143'), ('E-3', 'Sam', 'sam@example.com', '')`,
    )
    const { customer } = await come()
    await runQuery('update public.estimates set customer_id = null')
    await erase(customer)
    expect(await runQuery('select number from public.estimates')).toEqual([{ number: 'E-3' }])
  })

  it('is refused while the customer can still approve an estimate', async () => {
    const { customer, id } = await come()
    await runQuery(
      `insert into public.estimates (number, customer_name, customer_email, booking_id)
       values ('E-1', 'Zoë Quartermain', 'zoe.q@example.com', $1)`,
      [id],
    )
    await runQuery(
      `insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
       select id, 1, '2026-12-01', 91250 from public.estimates`,
    )
    await runQuery(
      `update public.estimate_revisions set frozen_at = now(), sent_at = now(), document = '{}', hash = encode(sha256('{}'), 'hex')`,
    )
    await expect(erase(customer)).rejects.toMatchObject({ code: 'TT099', hint: 'open_records' })
  })

  it('keeps the emails to another customer with the same email address', async () => {
    const { customer, id } = await come()
    const other = await come({ name: 'Luis Quartermain', day: '2026-10-02' })
    await asAdmin('select public.split_booking($1)', [other.id])
    await runQuery(
      `insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body, booking_id) values
         ('booking_confirmation', 'zoe', 'zoe.q@example.com', 'Your visit', '', '', $1),
         ('booking_confirmation', 'luis', 'zoe.q@example.com', 'Your visit', '', '', $2)`,
      [id, other.id],
    )
    await erase(customer)
    expect(await runQuery('select dedupe_key as key from public.emails')).toEqual([{ key: 'luis' }])
  })

  it('deletes the digests of email recipients, the requests for visit links and the digests of IP addresses', async () => {
    const { customer, id } = await come()
    await runQuery(
      `insert into public.emails (kind, dedupe_key, recipient_email, subject, html_body, text_body, booking_id)
       values ('booking_confirmation', 'one', 'zoe.q@example.com', 'Your visit', '', '', $1)`,
      [id],
    )
    await runQuery(
      `insert into internal.visitor_emails (dedupe_key, mailbox_digest, is_flagged) values ('one', '\\x01', false), ('two', '\\x02', false)`,
    )
    await runQuery(
      `insert into internal.visit_link_requests (mailbox_digest, mailbox) values ('\\x01', 'zoe.q@example.com'), ('\\x02', 'sam@example.com')`,
    )
    await runQuery(
      `insert into internal.form_origins (booking_id, address_digest) values ($1, '\\x01')`,
      [id],
    )
    await erase(customer)
    expect(await runQuery('select from internal.form_origins')).toEqual([])
    expect(await runQuery('select dedupe_key as key from internal.visitor_emails')).toEqual([
      { key: 'two' },
    ])
    expect(await runQuery('select mailbox from internal.visit_link_requests')).toEqual([
      { mailbox: 'sam@example.com' },
    ])
  })

  it('deletes the retained records when the three years of retention have ended', async () => {
    const { customer, id } = await come()
    await runQuery(
      `insert into public.estimates (number, customer_name, customer_email, booking_id)
       values ('E-1', 'Zoë Quartermain', 'zoe.q@example.com', $1)`,
      [id],
    )
    await runQuery(
      `insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
       select id, 1, '2026-10-30', 91250 from public.estimates`,
    )
    await runQuery(
      `update public.estimate_revisions set frozen_at = '2026-10-20', document = '{}', hash = encode(sha256('{}'), 'hex')`,
    )
    await erase(customer)
    for (const [today, left] of [
      ['2029-10-19T18:00:00Z', 1],
      ['2029-10-21T18:00:00Z', 0],
    ] as const) {
      await setShopClock(shop.owner, today)
      await runQuery('select internal.redact_expired_records()')
      expect(await runQuery('select from public.estimates')).toHaveLength(left)
    }
  })

  it('invalidates the links to the pages of retained estimates', async () => {
    const { customer, id } = await come()
    await runQuery(
      `insert into public.estimates (number, customer_name, customer_email, booking_id) values ('E-1', 'Zoë Quartermain', 'zoe.q@example.com', $1)`,
      [id],
    )
    await runQuery(
      `insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
       select id, 1, '2026-10-30', 91250 from public.estimates`,
    )
    await runQuery(
      `update public.estimate_revisions set frozen_at = now(), document = '{}', hash = encode(sha256('{}'), 'hex')`,
    )
    await erase(customer)
    // The erasure increases link_version, with which the URL of the estimate page is signed, so the old URL is invalid.
    expect(await runQuery('select link_version from public.estimates')).toEqual([
      { link_version: 2 },
    ])
  })
})

describe('a personal detail of an erased customer in texts of other records', () => {
  /**
   * Adds a customer, writes `note` on a booking of another customer, erases the first customer, and returns the note
   * after the erasure.
   */
  async function noteAfter(note: string, erased: TestBooking = {}) {
    const { customer, vehicle } = await come(erased)
    await runQuery(
      `update public.vehicles set plate = '8KLM204', vin = '1M8GDM9AXKP042788' where id = $1`,
      [vehicle],
    )
    const other = await come({ ...sam, day: '2026-10-02', model: 'WRX' })
    await runQuery('update public.bookings set internal_note = $2 where id = $1', [other.id, note])
    await erase(customer)
    const [row] = await runQuery<{ note: string }>(
      'select internal_note as note from public.bookings where id = $1',
      [other.id],
    )
    return row?.note
  }

  it.each([
    '6505550143',
    '650-555-0143',
    '650.555.0143',
    '(650)555 0143',
    '+1 650 555 0143',
    '1-650-555-0143',
    '555-0143',
    '5550143',
    'ZOE.Q@EXAMPLE.COM',
    '8klm204',
    '8 KLM-204',
    '1M8GDM9AXKP042788',
  ])('a detail of an erased customer is removed in the spelling %s', async (text) => {
    expect(await noteAfter(`Sent by ${text}, thanks.`)).toBe('Sent by [erased], thanks.')
  })

  it.each([
    ['a longer number that contains the phone number', '(415) 555-0143, 65055501432', {}],
    [
      'a longer address that contains the email address',
      'maze.zoe.q@example.com, zoe.q@example.com.au',
      {},
    ],
    ['a longer name that contains the name', 'Zoë Quartermaine', {}],
    ['the name alone', 'Zoë Quartermain called', {}],
    ['a service with the same name', 'Brake inspection at noon', { name: 'Brake Inspection' }],
    ['a word that was entered as the phone number', 'Mileage unknown', { phone: 'unknown' }],
  ])(
    'a detail of an erased customer remains in texts that contain only %s',
    async (_what, note, erased) => {
      expect(await noteAfter(note, erased)).toBe(note)
    },
  )

  it('is replaced by a placeholder that fits into the maximum length of the column', async () => {
    const { customer, vehicle } = await come()
    await runQuery(`update public.vehicles set plate = '8KL04' where id = $1`, [vehicle])
    await runQuery('insert into public.tasks (title) values ($1)', [
      `${'x'.repeat(188)} 8KL04 8KL04`,
    ])
    await runQuery(
      `insert into public.special_hours (starts_at, ends_at, reason) values ('2027-01-01', '2027-01-02', $1)`,
      [`${'y'.repeat(94)} 8KL04`],
    )
    await erase(customer)
    expect(await runQuery(`select from public.tasks where title ~ '8KL04'`)).toEqual([])
    expect(await runQuery(`select from public.special_hours where reason ~ '8KL04'`)).toEqual([])
  })

  it('is removed from the titles of two canned jobs, which remain distinct', async () => {
    const { customer } = await come()
    for (const title of ['Call 6505550143', 'Call 650-555-0143'])
      await runQuery('insert into public.canned_jobs (title, job) values ($1, $2)', [
        title,
        { title },
      ])
    await erase(customer)
    const titles = await runQuery<{ title: string }>(
      'select title from public.canned_jobs order by 1',
    )
    expect(titles.map(({ title }) => title)).toEqual([
      'Call [erased]',
      expect.stringMatching(/^Call \[erased\] [\da-f]{8}$/),
    ])
  })

  it('is removed from every column that a user can write', async () => {
    const { customer } = await come()
    await writeEverywhere('Ask zoe.q@example.com')
    const marked = async () => {
      const columns = await runQuery<{ place: string; sql: string }>(
        `select format('%s.%s.%s', table_schema, table_name, column_name) as place,
                format('select from %I.%I where %I::text ~* ''zoe.q@'' limit 1', table_schema, table_name, column_name) as sql
         from information_schema.columns join information_schema.tables using (table_schema, table_name)
         where table_type = 'BASE TABLE' and table_schema in ('public', 'internal')`,
      )
      const places: string[] = []
      for (const { place, sql } of columns) if ((await runQuery(sql)).length > 0) places.push(place)
      return places
    }
    const searched = await runQuery<{ place: string }>(
      `select table_name || '.' || column_name as place from internal.erasure_rules where label is not null`,
    )
    expect(await marked()).toEqual(expect.arrayContaining(searched.map(({ place }) => place)))
    await erase(customer)
    expect(await marked()).toEqual([])
  })

  it('is removed from the settings history at any depth of the JSON', async () => {
    const { customer } = await come()
    await runQuery(
      `insert into public.settings_history (section, subject, action, before, after, changed_by_name)
       values ('closures', 'Towing for zoe.q@example.com', 'changed', '{"rows": [{"reason": "Call zoe.q@example.com"}, 5]}',
         '{"reason": "Call \\"650 555 0143\\""}', 'ana')`,
    )
    await erase(customer)
    expect(
      await runQuery(
        `select subject, before, after from public.settings_history where subject like 'Towing%'`,
      ),
    ).toEqual([
      {
        subject: 'Towing for [erased]',
        before: { rows: [{ reason: 'Call [erased]' }, 5] },
        after: { reason: 'Call "[erased]"' },
      },
    ])
    await expect(
      runQuery(`update public.settings_history set subject = 'x'`),
    ).rejects.toMatchObject({
      code: 'TT055',
    })
  })

  it.each([
    [
      'also belongs to another customer',
      '650-555-0143',
      `insert into public.customer_contact_methods (customer_id, kind, match_key, value, confirmed_at)
       select customer_id, 'phone', '6505550143', '650 555 0143', now() from public.bookings where customer_name = 'Sam Okafor'`,
    ],
    [
      'belongs to a team member',
      'zoe.q@example.com',
      `insert into public.employees (name, email) values ('Zoë', 'Zoe.Q@example.com')`,
    ],
  ])('a detail of an erased customer remains when it %s', async (_case, text, sql) => {
    const { customer } = await come()
    const other = await come({ ...sam, day: '2026-10-02', model: 'WRX' })
    await runQuery(sql)
    await runQuery('update public.bookings set internal_note = $2 where id = $1', [other.id, text])
    await erase(customer)
    expect(
      await runQuery('select internal_note as note from public.bookings where id = $1', [other.id]),
    ).toEqual([{ note: text }])
    await runQuery('delete from public.employees')
  })

  it('remains when a visitor had entered the phone number or the email address of the shop itself', async () => {
    const [contact] = await runQuery<{ phone: string; email: string }>(
      'select phone, support_email as email from public.shop',
    )
    const { customer } = await come({ phone: contact?.phone ?? '', email: contact?.email ?? '' })
    const text = `Call ${contact?.phone} or write to ${contact?.email}`
    await runQuery('insert into public.tasks (title) values ($1)', [text])
    await erase(customer)
    expect(await runQuery('select title from public.tasks')).toEqual([{ title: text }])
  })
})

/**
 * Writes a text into every column that an erasure searches, in records that belong to another customer or to no
 * customer.
 */
async function writeEverywhere(text: string): Promise<void> {
  const other = await come({ ...sam, day: '2026-10-02', model: 'WRX' })
  await runQuery(
    `with task as (insert into public.tasks (title, description, customer_note) values ($1, $1, $1) returning id),
       noted as (insert into public.task_notes (task_id, note, created_by_name) select id, $1, 'ana' from task)
     insert into public.task_status_history (task_id, old_status, new_status, note, changed_by_name)
       select id, 'pending', 'in_progress', $1, 'ana' from task`,
    [text],
  )
  await runQuery('update public.bookings set notes = $2, internal_note = $2 where id = $1', [
    other.id,
    text,
  ])
  await runQuery(
    `insert into public.booking_events (booking_id, kind, source, changed_by_name, reason) values ($1, 'moved', 'counter', 'ana', $2)`,
    [other.id, text],
  )
  await runQuery('update public.vehicles set internal_note = $2 where id = $1', [
    other.vehicle,
    text,
  ])
  await runQuery(
    `insert into public.customer_notes (customer_id, note, written_by_name) values ($1, $2, 'ana')`,
    [other.customer, text],
  )
  await runQuery(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ('Sam', 'sam@example.com', '2019', 'Subaru', 'WRX', $1)`,
    [text],
  )
  await runQuery(
    `with made as (insert into public.estimates (customer_name, internal_note) values ('Sam', $1) returning id),
       revised as (insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
         select id, 1, $1, '2026-12-30', 91250 from made returning estimate_id),
       job as (insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now)
         select estimate_id, 1, gen_random_uuid(), 1, $1, $1, true from revised returning estimate_id, job_key)
     insert into public.estimate_lines (estimate_id, revision, job_key, position, kind, description, quantity_thousandths, unit_price_cents, is_taxable)
       select estimate_id, 1, job_key, 1, 'labor', $1, 1000, 1000, false from job`,
    [text],
  )
  await runQuery('insert into public.canned_jobs (title, job) values ($1, $2)', [
    text,
    { title: text, lines: [{ description: text }] },
  ])
  await runQuery(
    `insert into public.special_hours (starts_at, ends_at, reason) values ('2027-01-01', '2027-01-02', $1)`,
    [text],
  )
  // Each of the next three updates adds a row to settings_history. The erasure removes the text from the closure, which
  // adds another row.
  await runQuery(`update public.booking_rules set pause_message = $1`, [text])
  await runQuery(`update public.services set description = $1 where id = $2`, [text, serviceId])
  await runQuery(`update public.bays set technician = $1`, [text])
  await runQuery(
    `insert into public.settings_history (section, subject, action, before, after, changed_by_name)
     values ('closures', $1, 'changed', $2, $2, 'ana')`,
    [text, { reason: text }],
  )
}

describe('the retained records of an erased customer', () => {
  it("no longer contain the customer's name, while records of other customers keep their names", async () => {
    const { customer, id } = await come({ name: 'Front Brakes' })
    const title = 'Front brakes, left and right'
    await runQuery(
      `with task as (insert into public.tasks (title, description, customer_note, booking_id) values ($1, $1, $1, $2) returning id),
         noted as (insert into public.task_notes (task_id, note, created_by_name) select id, $1, 'ana' from task)
       insert into public.task_status_history (task_id, old_status, new_status, note, changed_by_name)
         select id, 'pending', 'in_progress', $1, 'ana' from task`,
      [title, id],
    )
    await runQuery('insert into public.tasks (title, description) values ($1, $1)', [title])
    await runQuery(
      `insert into public.booking_events (booking_id, kind, source, changed_by_name, reason) values ($1, 'moved', 'counter', 'ana', $2)`,
      [id, title],
    )
    await erase(customer)
    const left = '[erased], left and right'
    expect(
      await runQuery(
        'select title, description, customer_note as customer from public.tasks order by booking_id',
      ),
    ).toEqual([
      { title: left, description: left, customer: left },
      { title, description: title, customer: '' },
    ])
    expect(
      await runQuery(
        `select note from public.task_notes union all select note from public.task_status_history
         union all select reason from public.booking_events where reason is not null and booking_id = $1`,
        [id],
      ),
    ).toEqual([{ note: left }, { note: left }, { note: left }])
  })

  it("no longer contain the customer's name in a task that only an estimate links to the customer", async () => {
    const { customer } = await come()
    await runQuery(
      `with made as (insert into public.estimates (customer_name, customer_email) values ('Zoë Quartermain', 'zoe.q@example.com') returning id)
       insert into public.tasks (title, estimate_id, estimate_job_key) select 'Oil for Zoë Quartermain', id, gen_random_uuid() from made`,
    )
    await erase(customer)
    expect(await runQuery('select title from public.tasks')).toEqual([
      { title: 'Oil for [erased]' },
    ])
  })
})

describe('the preview of an erasure', () => {
  type Others = {
    count: number
    texts: { key: string; label: string; about: string; pieces: string[] }[]
  }
  const othersOf = async (customer: string) => {
    const [row] = await asAdmin<{ others: Others }>(
      `select public.preview_erasure($1) -> 'others' as others`,
      [customer],
    )
    return row?.others ?? { count: 0, texts: [] }
  }

  it('shows each text of another record that would change, with the names of the field and the record', async () => {
    const { customer, id } = await come()
    const other = await come({ ...sam, day: '2026-10-02', model: 'WRX' })
    for (const booking of [id, other.id])
      await runQuery(
        `update public.bookings set internal_note = 'Sent by Zoë, 650-555-0143.' where id = $1`,
        [booking],
      )
    expect(await othersOf(customer)).toEqual({
      count: 1,
      texts: [
        {
          key: `public.bookings.internal_note ${other.id}`,
          label: 'Shop note',
          about: 'Sam Okafor, Oct 2, 2026',
          pieces: ['Sent by Zoë, ', '650-555-0143', '.'],
        },
      ],
    })
  })

  it('shows the first twenty texts and the total number', async () => {
    const { customer } = await come()
    await runQuery(
      `insert into public.tasks (title) select 'Call 6505550143, ' || number from generate_series(1, 23) number`,
    )
    const others = await othersOf(customer)
    expect([others.count, others.texts.length]).toEqual([23, 20])
  })

  it('lets staff exclude a text, which the erasure then leaves unchanged', async () => {
    const { customer } = await come()
    await runQuery(
      `insert into public.tasks (title) values ('Call 6505550143'), ('Ring 6505550143')`,
    )
    const survivor = (await othersOf(customer)).texts.find(({ pieces }) => pieces[0] === 'Ring ')
    await runQuery('select internal.erase_customer($1, $2, $3, $4)', [
      customer,
      await versionOf(customer),
      'ana',
      [survivor?.key],
    ])
    expect(await runQuery('select title from public.tasks order by 1')).toEqual([
      { title: 'Call [erased]' },
      { title: 'Ring 6505550143' },
    ])
    expect(
      await runQuery('select counts from public.erasures where customer_id = $1', [customer]),
    ).toMatchObject([{ counts: { otherTexts: 1, leftOut: 1 } }])
  })

  it('does not let staff exclude a text in the customer’s own records', async () => {
    const { customer, id } = await come()
    const [task] = await runQuery<{ id: string }>(
      `insert into public.tasks (title, booking_id) values ('Call 6505550143', $1) returning id`,
      [id],
    )
    await runQuery('select internal.erase_customer($1, $2, $3, $4)', [
      customer,
      await versionOf(customer),
      'ana',
      [`public.tasks.title ${task?.id}`],
    ])
    expect(await runQuery('select title from public.tasks')).toEqual([{ title: 'Call [erased]' }])
  })
})

describe('text of a request that looks automated', () => {
  const askAsBot = () =>
    runQuery<{ customer: string }>(
      `insert into public.quote_requests (name, email, phone, vehicle_year, vehicle_make, vehicle_model, description, flagged_reasons)
       values ('Check Engine', 'parts@supplier.example', '(650) 555-0193', '2019', 'Kia', 'Soul', 'Hello', '{}') returning customer_id as customer`,
    ).then(async ([row]) => {
      await runQuery(`update public.quote_requests set flagged_reasons = '{no_form_token}'`)
      return row?.customer ?? ''
    })
  const text = 'Order from parts@supplier.example, 650-555-0193'

  it('is not searched for in records of other customers during an erasure', async () => {
    const customer = await askAsBot()
    await runQuery('insert into public.tasks (title) values ($1)', [text])
    await erase(customer)
    expect(await runQuery('select title from public.tasks')).toEqual([{ title: text }])
  })

  it('is searched for in records of other customers when a genuine request contains the same text', async () => {
    const customer = await askAsBot()
    await come({ name: 'Check Engine', email: 'parts@supplier.example', phone: '(650) 555-0193' })
    await runQuery('insert into public.tasks (title) values ($1)', [text])
    await erase(customer)
    expect(await runQuery('select title from public.tasks')).toEqual([
      { title: 'Order from [erased], [erased]' },
    ])
  })
})
