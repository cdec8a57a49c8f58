import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { admin, refusalTo } from '#tests/support/database/database-fixtures.ts'

const ids = {
  advisor: '00000000-0000-4000-8000-00000000000a',
  technician: '00000000-0000-4000-8000-00000000000b',
}
type Role = keyof typeof ids

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
  for (const [role, id] of Object.entries(ids)) {
    await shop.owner.query(
      'insert into public.staff_accounts (user_id, username, role) values ($1, $2, $2)',
      [id, role],
    )
  }
  await shop.owner.query(`
    insert into public.quote_requests
      (name, email, phone, service_type, description, vehicle_year, vehicle_make, vehicle_model)
    values ('Dana Whitfield', 'dana@example.com', '(650) 555-0167', 'brake-service', 'They squeak.', '2019', 'Subaru', 'Outback');
    insert into public.tasks (title) values ('Order pads');
    insert into public.tax_rates (effective_from, rate) values ('2020-01-01', 0.09125) on conflict do nothing;
    insert into public.customers (name, phone) values ('Dana Whitfield', '(650) 555-0167')`)
})
afterAll(() => shop.drop())

/**
 * Returns the identity of a staff account with the current role `role`. The access token names `databaseRole`, which
 * differs from the current role if the token was issued before a role change.
 */
const staffOf = (role: Role, databaseRole = `shop_${role}`): Identity => ({
  role: databaseRole,
  claims: { role: 'authenticated', sub: ids[role] },
})

const ownersChanges = {
  'deletes appointments': 'delete from public.bookings',
  'deletes quote requests': 'delete from public.quote_requests',
  'deletes tasks': 'delete from public.tasks',
  'deletes services': 'delete from public.services',
  'removes a tax rate': 'delete from public.tax_rates',
  'changes a tax rate': 'update public.tax_rates set rate = 0',
  'changes the labor rate': 'update public.estimate_rules set labor_rate_cents = 1',
  'rounds cash': 'update public.booking_rules set rounds_cash = true',
  'renames a team member': `update public.employees set name = 'Somebody'`,
  'raises a role': `update public.staff_accounts set role = 'owner'`,
}

describe('the rights of owners and advisors', () => {
  it.each(Object.entries(ownersChanges))('an advisor never %s', async (_, statement) => {
    const refusal = await refusalTo(shop.database, staffOf('advisor'), (query) =>
      query.unchecked(statement, []),
    )
    expect(refusal.code).toBe('42501')
    expect(await changedRows(staffOf('advisor', 'shop_owner'), statement).catch(codeOf)).toBeOneOf([
      0,
      '42501',
    ])
  })

  it.each([
    'public.merge_customers($1, $1, 1, 1)',
    'public.unmerge($1)',
    'public.preview_erasure($1)',
  ])('an advisor cannot call %s', async (call) => {
    for (const identity of [staffOf('advisor'), staffOf('advisor', 'shop_owner')]) {
      const { rows } = await shop.owner.query<{ id: string }>('select id from public.customers')
      const refusal = await refusalTo(shop.database, identity, (query) =>
        query.unchecked(`select ${call}`, [rows[0]?.id]),
      )
      expect(refusal.code).toBe('42501')
    }
  })

  it('an owner can delete quote requests and change the cash rounding', async () => {
    expect(await changedRows(admin, 'delete from public.quote_requests')).toBe(1)
    expect(await changedRows(admin, 'update public.booking_rules set rounds_cash = true')).toBe(1)
  })
})

describe('a technician', () => {
  it('cannot read tables or views of other roles, or call functions for the work at the counter', async () => {
    const { rows: tables } = await shop.owner.query<{ name: string }>(
      `select format('public.%I', relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname not like 'technician\\_%'`,
    )
    for (const { name } of tables) {
      const refusal = await refusalTo(shop.database, staffOf('technician'), (query) =>
        query.unchecked(`select from ${name}`, []),
      )
      expect([name, refusal.code]).toEqual([name, '42501'])
    }
    const refusal = await refusalTo(shop.database, staffOf('technician'), (query) =>
      query.unchecked('select public.read_today()', []),
    )
    expect(refusal.code).toBe('42501')
  })

  it('cannot read appointments, customers or payments with an access token of an earlier role', async () => {
    const { rows: tables } = await shop.owner.query<{ name: string }>(
      `select format('public.%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const open: string[] = []
    for (const { name } of tables) {
      const count = await shop.database.transaction(
        staffOf('technician', 'shop_owner'),
        async (query) => (await query.unchecked(`select from ${name} limit 1`, [])).length,
      )
      if (count > 0) open.push(name)
    }
    // The tables whose rows visitors may read too.
    expect(open.sort()).toEqual(['public.opening_hours', 'public.services', 'public.shop'])
  })
})

async function changedRows(identity: Identity, statement: string): Promise<number> {
  return shop.database.transaction(identity, async (query) => {
    const rows = await query.unchecked(`${statement} returning 1`, [])
    return rows.length
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no code'
}
