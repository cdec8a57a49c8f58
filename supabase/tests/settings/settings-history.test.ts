import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
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
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
})
afterAll(() => shop.drop())

const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
const refusalOf = (sql: string, values: unknown[] = []) =>
  refusalTo(shop.database, admin, (query) => query.unchecked(sql, values))
const lastLine = async () => {
  const [line] = await asAdmin<Record<string, unknown>>(
    `select section, subject, action, before, after, changed_by_name
     from public.settings_history order by id desc limit 1`,
  )
  return line
}
const versionOf = async (section: string) => {
  const [row] = await asAdmin<{ version: number }>(
    'select version from public.settings_versions where section = $1',
    [section],
  )
  return row?.version ?? -1
}

describe('a change of a setting', () => {
  it('adds no history entry for the initial settings of a new shop', async () => {
    expect(await asAdmin('select id from public.settings_history')).toEqual([])
  })

  it('adds a history entry with the author, the setting, the value before and the value after', async () => {
    await asAdmin(`update public.shop set tagline = 'New', city = city`)
    expect(await lastLine()).toEqual({
      section: 'shop',
      subject: '',
      action: 'changed',
      before: { tagline: 'Fixed right. Ready on time.' },
      after: { tagline: 'New' },
      changed_by_name: 'ana',
    })
  })

  it('increments the version of its section; a save without a change adds neither version nor history entry', async () => {
    const before = await versionOf('shop')
    await asAdmin(`update public.shop set tagline = tagline`)
    expect(await versionOf('shop')).toBe(before)
    await asAdmin(`update public.shop set tagline = 'Newer'`)
    expect(await versionOf('shop')).toBe(before + 1)
  })

  it('adds a history entry in every table of settings', async () => {
    const hours = await asAdmin(`select * from public.opening_hours`)
    await asAdmin('update public.booking_rules set booking_window_days = 31')
    await asAdmin(`insert into public.employees (name, email) values ('Eve', 'eve@example.com')`)
    await asAdmin(`insert into public.services (name, duration_minutes) values ('Wash', 30)`)
    await asAdmin('select * from public.save_opening_hours($1, $2)', [
      JSON.stringify(hours.slice(1)),
      await versionOf('hours'),
    ])
    await asAdmin(
      `select * from public.save_special_hours(null, '2026-12-25', '2026-12-26', false, null, 'Christmas', true, $1)`,
      [await versionOf('closures')],
    )
    await asAdmin(`select * from public.save_bay(null, 'Rack', true, $1, $2)`, [
      [await addService(shop, 'Alignment only', 60)],
      await versionOf('bays'),
    ])
    const lines = await asAdmin(
      `select distinct section, subject, action, after ->> 'service' as service from public.settings_history
       where section <> 'shop' order by 1, 2, 3`,
    )
    expect(lines.map((line) => Object.values(line).filter(Boolean).join(' '))).toEqual([
      'bays Rack added',
      'bays Rack changed Alignment only',
      'closures Christmas added',
      `hours ${(hours[0] as { weekday: number }).weekday} removed`,
      'rules changed',
      'services Wash added',
      'team Eve added',
    ])
  })

  it('notifies every listening process on commit, with the name of the section only', async () => {
    const listener = new Client({ connectionString: shop.ownerUrl })
    await listener.connect()
    const heard: (string | undefined)[] = []
    const twice = new Promise<void>((resolve) => {
      listener.on('notification', ({ payload }) => {
        heard.push(payload)
        if (heard.length === 2) resolve()
      })
    })
    await listener.query('listen settings_changed')
    await asAdmin(
      `select * from public.save_special_hours(null, '2026-12-24', '2026-12-25', false, null, '', true, $1, true)`,
      [await versionOf('closures')],
    )
    await asAdmin(`update public.shop set tagline = 'Heard', description = 'Once.'`)
    await asAdmin(`update public.booking_rules set booking_window_days = 30`)
    await twice
    await listener.end()
    expect(heard).toEqual(['shop', 'rules'])
  })

  it('without a request of the REST API sends a notification without an author', async () => {
    await shop.owner.query(`update public.shop set tagline = 'By hand'`)
    expect(await lastLine()).toMatchObject({ changed_by_name: 'system' })
  })
})

describe('the settings history', () => {
  it('cannot be changed or shortened by any role', async () => {
    for (const sql of [
      `update public.settings_history set changed_by_name = 'nobody'`,
      'delete from public.settings_history',
      'truncate public.settings_history',
    ]) {
      expect((await refusalOf(sql)).code).toBe('42501')
      await expect(shop.owner.query(sql)).rejects.toMatchObject({
        code: 'TT055',
        hint: 'append_only',
      })
    }
    expect(
      (
        await refusalOf(
          `insert into public.settings_history (section, subject, action, changed_by_name)
           values ('shop', '', 'changed', 'somebody')`,
        )
      ).code,
    ).toBe('42501')
  })

  it.each(['settings_history', 'settings_versions'])(
    'in the table %s can be read by the admin only',
    async (table) => {
      const read = `select * from public.${table}`
      expect((await refusalTo(shop.database, visitor, (query) => query.unchecked(read))).code).toBe(
        '42501',
      )
      expect(
        await shop.database.transaction(signedInStranger, (query) => query.unchecked(read)),
      ).toEqual([])
      expect((await asAdmin(read)).length).toBeGreaterThan(0)
    },
  )
})

describe('a service', () => {
  it('keeps existing bookings unchanged when it changes', async () => {
    const id = await addService(shop, 'Story, booked', 60)
    await asAdmin('update public.services set price_from_cents = 8900 where id = $1', [id])
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(id)),
    )
    await asAdmin(
      `update public.services set name = 'Renamed', duration_minutes = 15, price_from_cents = 1,
         is_active = false where id = $1`,
      [id],
    )
    expect(
      await asAdmin(
        'select service_name, service_price_cents, duration_minutes from public.bookings',
      ),
    ).toEqual([{ service_name: 'Story, booked', service_price_cents: 8900, duration_minutes: 60 }])
    expect((await refusalOf('delete from public.services where id = $1', [id])).code).toBe('23503')
  })

  it('without bookings can be deleted', async () => {
    const id = await addService(shop, 'Story, never booked', 60)
    await asAdmin('delete from public.services where id = $1', [id])
    expect(await lastLine()).toMatchObject({ subject: 'Story, never booked', action: 'removed' })
  })

  it.each([
    [`update public.services set is_active = false`],
    ['delete from public.services where is_active'],
  ])(
    'cannot be deactivated or deleted when it is the last active one, by the statement %s',
    async (sql) => {
      expect(await refusalOf(sql)).toMatchObject({ code: 'TT053', hint: 'last_active_service' })
    },
  )

  it.each([
    ['name', ' ', 'services_name_is_text'],
    ['name', 'Oil\u0007', 'services_name_is_text'],
    ['duration_minutes', '1000000', 'services_duration_minutes_in_range'],
    ['price_from_cents', '0', 'services_price_from_cents_in_range'],
    ['description', 'a\u202eb', 'services_description_is_plain'],
  ])(
    'is refused if its %s is %j; the error names the violated constraint',
    async (column, value, rule) => {
      const refusal = await refusalOf(
        `update public.services set ${column} = $1 where name = 'Oil Change'`,
        [value],
      )
      expect(refusal.code).toBe('23514')
      expect(refusal.message).toContain(`"${rule}"`)
    },
  )

  it('can be reordered only together with all other services, and only with the latest version of the order', async () => {
    const all = await asAdmin<{ id: string }>('select id from public.services order by name desc')
    const ids = all.map(({ id }) => id)
    const version = await versionOf('services')
    const [left] = await asAdmin<{ version: number }>(
      'select public.order_services($1, $2) as version',
      [ids, version],
    )
    expect(left?.version).toBe(await versionOf('services'))
    const ordered = await asAdmin<{ id: string }>(
      'select id from public.services order by position',
    )
    expect(ordered.map(({ id }) => id)).toEqual(ids)
    expect(await refusalOf('select public.order_services($1, $2)', [ids, version])).toMatchObject({
      code: 'TT051',
      hint: 'version_conflict',
    })
    const latest = await versionOf('services')
    for (const wrong of [ids.slice(1), [...ids, ids[0]], [...ids.slice(1), ids[1]]]) {
      expect(
        await refusalOf('select public.order_services($1, $2)', [wrong, latest]),
      ).toMatchObject({ code: '22023', hint: 'invalid_order' })
    }
  })
})

describe('an employee', () => {
  it('can be added, renamed and deactivated by the admin, and never deleted', async () => {
    await asAdmin(
      `update public.employees set name = 'Ana R.', is_active = false where name = 'Ana Reyes'`,
    )
    expect(await lastLine()).toMatchObject({
      section: 'team',
      subject: 'Ana R.',
      before: { name: 'Ana Reyes', is_active: true },
      after: { name: 'Ana R.', is_active: false },
    })
    expect((await refusalOf('delete from public.employees')).code).toBe('42501')
    for (const role of [visitor, signedInStranger]) {
      const add = `insert into public.employees (name, email) values ('Mallory', 'm@example.com')`
      expect((await refusalTo(shop.database, role, (query) => query.unchecked(add))).code).toBe(
        '42501',
      )
    }
  })

  it.each([
    ['', 'a@example.com', 'employees_name_is_text'],
    ['A\nB', 'a@example.com', 'employees_name_is_text'],
    ['A', 'nowhere', 'employees_email_is_an_address'],
  ])('with the name %j and the email address %j is refused', async (name, email, rule) => {
    const refusal = await refusalOf(`insert into public.employees (name, email) values ($1, $2)`, [
      name,
      email,
    ])
    expect(refusal.code).toBe('23514')
    expect(refusal.message).toContain(`"${rule}"`)
  })
})
