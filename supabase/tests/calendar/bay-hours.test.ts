import { array, boolean, constantFrom, integer, record, sample } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepBayHours } from '#server/features/shop/extend-bay-hours.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addBay, fixtureClock } from '#tests/support/database/database-fixtures.ts'

/*
 * The database stores the open hours of each bay and date in rows, and computes free times from these rows. These tests
 * compare the rows with the result of `internal.open_spans` after changes of hours, closures and bays, for each date
 * that visitors can book. If rows are missing, the database computes the same free times with `internal.open_spans`.
 */

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await setShopClock(shop.owner, fixtureClock)
  await shop.owner.query(`
    delete from public.special_hours; delete from public.opening_hours;
    insert into public.opening_hours select weekday, 510, 1260 from generate_series(0, 6) weekday;
    delete from public.bay_services; delete from public.bays where name <> 'Bay 1'; update public.bays set is_active = true;
    update public.shop set time_zone = 'America/Los_Angeles'; update public.booking_rules set booking_window_days = 30`)
})

/**
 * Reads the stored open hours (`rows`) and the open hours that `internal.open_spans` computes for the same dates
 * (`rule`), with the rank and the services of each bay. Both results omit closed bays.
 */
async function readBoth(): Promise<{ rows: unknown[]; rule: unknown[] }> {
  const { rows } = await shop.owner.query(`
    select day::text, bay_id, range_agg(span)::text as spans, min(bay_rank) as rank, service_ids
    from internal.bay_hours group by day, bay_id, service_ids order by day, bay_id`)
  const { rows: rule } = await shop.owner.query(`
    select (today + nth)::text as day, bays.id as bay_id, internal.open_spans(today + nth, bays.id)::text as spans,
           internal.bay_rank(bays.id, position) as rank,
           (select array_agg(service_id order by service_id) from public.bay_services where bay_id = bays.id) as service_ids
    from (select internal.shop_now()::date as today) clock, public.booking_rules rules,
         generate_series(-1, rules.booking_window_days + 31) nth, public.bays
    where is_active order by today + nth, bays.id`)
  return { rows, rule }
}

const aYear = array(
  record({
    daysAhead: integer({ min: -3, max: 70 }),
    quarter: integer({ min: 0, max: 95 }),
    minutes: constantFrom(15, 90, 480, 1440, 4000),
    isOpen: boolean(),
    bay: integer({ min: -1, max: 2 }),
    weekday: integer({ min: 0, max: 6 }),
    opensAt: integer({ min: 0, max: 80 }),
    change: constantFrom(
      'closure',
      'hours',
      'closed weekday',
      'bay',
      'fewer closures',
      'services of a bay',
      'order of bays',
    ),
  }),
  { minLength: 12, maxLength: 12 },
)
const months = Array.from({ length: 12 }, (_, nth) => nth + 1)

describe('the stored open hours of each bay and date', () => {
  it.each(months)(
    'equal the computed open hours for random settings in month %i',
    async (month) => {
      const [changes] = sample(aYear, { seed: 20270000 + month, numRuns: 1 })
      await setShopClock(shop.owner, `2027-${String(month).padStart(2, '0')}-03T05:00:00Z`)
      await addBay(shop, 'Bay 2')
      await addBay(shop, 'Bay 3')
      for (const {
        daysAhead,
        quarter,
        minutes,
        isOpen,
        bay,
        weekday,
        opensAt,
        change,
      } of changes ?? []) {
        const statements = {
          closure: `insert into public.special_hours (starts_at, ends_at, is_open, bay_id)
          select start, case when ${isOpen} then least(start + interval '${minutes} minutes', start::date + 1)
                        else start + interval '${minutes} minutes' end, ${isOpen},
                 (select id from public.bays order by position offset ${Math.max(bay, 0)} limit ${bay < 0 ? 0 : 1})
          from (select internal.shop_now()::date + ${daysAhead} + ${quarter} * interval '15 minutes' as start) closure`,
          hours: `insert into public.opening_hours values (${weekday}, ${opensAt * 15}, ${opensAt * 15 + 225})
          on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute`,
          'closed weekday': `delete from public.opening_hours where weekday = ${weekday}`,
          bay: `update public.bays set is_active = not is_active where position = ${bay + 2}`,
          'services of a bay': `insert into public.bay_services (bay_id, service_id)
          select bays.id, services.id from public.bays, public.services
          where bays.position = ${bay + 2} order by services.id limit ${(quarter % 3) + 1} on conflict do nothing`,
          'order of bays': `update public.bays set position = 4 - position where position <= 3`,
          'fewer closures': `delete from public.special_hours where ctid in (select ctid from public.special_hours limit 2)`,
        }
        await shop.owner.query(statements[change])
      }
      const { rows, rule } = await readBoth()
      expect(rows).toEqual(rule)
    },
  )

  it('exist for as many days as visitors can book', async () => {
    await shop.owner.query('update public.booking_rules set booking_window_days = 45')
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })

  it('change when a new time zone of the shop moves midnight', async () => {
    await shop.owner.query(`update public.shop set time_zone = 'Pacific/Auckland'`)
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })

  it('contain the services of each bay, and the rank by which a booking gets its bay', async () => {
    await addBay(shop, 'Bay 2')
    await shop.owner.query(`
      insert into public.bay_services select bays.id, services.id from public.bays, public.services
      where bays.name = 'Bay 2' order by services.id limit 2`)
    const limited = await readBoth()
    expect(limited.rows).toEqual(limited.rule)
    await shop.owner.query('delete from public.bay_services')
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })

  it('are deleted together with their bay', async () => {
    await addBay(shop, 'Bay 2')
    await shop.owner.query(`delete from public.bays where name = 'Bay 2'`)
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })

  it('are extended to further days by the scheduled job', async () => {
    await setShopClock(shop.owner, '2027-06-01T18:00:00Z')
    await keepBayHours(shop.database)
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })

  it('contain the changes of both of two concurrent transactions', async () => {
    const [first, second] = [await shop.owner.connect(), await shop.owner.connect()]
    await first.query(`
      begin; insert into public.special_hours (starts_at, ends_at)
      select day, day + interval '1 day' from (select internal.shop_now()::date + 3 as day) closed`)
    const waiting = second.query(
      'begin; update public.opening_hours set closes_minute = 1200; commit',
    )
    await vi.waitFor(async () => {
      const { rows } = await shop.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rows).toHaveLength(1)
    })
    await first.query('commit')
    await waiting
    for (const client of [first, second]) client.release()
    const { rows, rule } = await readBoth()
    expect(rows).toEqual(rule)
  })
})

describe('a date without stored bay hours', () => {
  it('has the same free times as a date with stored bay hours', async () => {
    await addBay(shop, 'Bay 2')
    await shop.owner.query(`
      insert into public.special_hours (starts_at, ends_at, bay_id)
      select timestamp '2026-11-28 12:00', timestamp '2026-11-28 15:00', id from public.bays where name = 'Bay 1';
      insert into public.special_hours (starts_at, ends_at) values ('2026-11-29 00:00', '2026-11-30 00:00')`)
    const readQuarters = async () => {
      const { rows } = await shop.owner.query(`
        select day::text, quarter, public.is_time_slot_available(60, day, time '00:00' + quarter * interval '15 minutes') as free,
               array(select bay_id from internal.open_bays(day, time '00:00' + quarter * interval '15 minutes', 60, null)
                     where is_on_grid order by bay_rank) as bays
        from unnest(array['2026-11-27', '2026-11-28', '2026-11-29', '2026-12-02']::date[]) day, generate_series(0, 95) quarter
        order by day, quarter`)
      return rows
    }
    const withRows = await readQuarters()
    await shop.owner.query('delete from internal.bay_hours')
    expect(await readQuarters()).toEqual(withRows)
    expect(withRows.filter(({ free }) => free).length).toBeGreaterThan(20)
  })
})
