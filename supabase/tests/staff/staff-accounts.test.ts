import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity, Query } from '@local/postgres'
import {
  createTestDatabase,
  type TestDatabase,
  testOwnerId,
} from '#tests/support/database/database.ts'
import { admin, refusalTo } from '#tests/support/database/database-fixtures.ts'

const otherId = '00000000-0000-4000-8000-000000000009'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(`update public.staff_accounts set role = 'owner', is_active = true`)
  await shop.owner.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'lena', 'owner')
     on conflict (user_id) do update set role = 'owner', is_active = true`,
    [otherId],
  )
})

const claims = (sub: string) => ({ role: 'authenticated', sub })
const lena = (role: string): Identity => ({ role: `shop_${role}`, claims: claims(otherId) })
const change = (identity: Identity, userId: string, column: string, value: unknown) =>
  shop.database.transaction(identity, async (query) => {
    await beginCommand(query)
    return query.unchecked(
      `update public.staff_accounts set ${column} = $2 where user_id = $1 returning user_id`,
      [userId, value],
    )
  })
/** Marks the transaction as that of a server command. */
const beginCommand = (query: Query) =>
  query.unchecked(`select set_config('shop.command', 'test', true)`, [])
const countBays = (identity: Identity) =>
  shop.database.transaction(identity, async (query) => {
    const rows = await query.unchecked('select from public.bays')
    return rows.length
  })

describe('the role of a staff account', () => {
  it('can be changed by an owner only', async () => {
    expect(await change(admin, otherId, 'role', 'advisor')).toHaveLength(1)
    for (const role of ['advisor', 'technician']) {
      await shop.owner.query('update public.staff_accounts set role = $2 where user_id = $1', [
        otherId,
        role,
      ])
      const refusal = await refusalTo(shop.database, lena(role), (query) =>
        query.unchecked(`update public.staff_accounts set role = 'owner' where user_id = $1`, [
          otherId,
        ]),
      )
      expect(refusal.code).toBe('42501')
      // The database checks the staff account even if the REST API switched to the owner role by mistake.
      expect(await change(lena('owner'), otherId, 'role', 'owner')).toEqual([])
    }
  })

  it('grants no rights before the authenticator app that the account needs is set up, whatever role the access token names', async () => {
    const setNeed = (needsCodeApp: boolean) =>
      shop.owner.query('update public.staff_accounts set needs_code_app = $2 where user_id = $1', [
        otherId,
        needsCodeApp,
      ])
    await setNeed(true)
    for (const role of ['owner', 'advisor', 'technician']) {
      await shop.owner.query('update public.staff_accounts set role = $2 where user_id = $1', [
        otherId,
        role,
      ])
      const [row] = await shop.database.transaction(lena(role), (query) =>
        query.unchecked('select internal.staff_role() as role'),
      )
      expect(row).toEqual({ role: null })
    }
    expect(await countBays(lena('owner'))).toBe(0)
    for (const identity of [lena('owner'), { role: 'shop_server' }]) {
      const refusal = await refusalTo(shop.database, identity, (query) =>
        query.unchecked('update public.staff_accounts set needs_code_app = false'),
      )
      expect(refusal.code).toBe('42501')
    }
    await shop.owner.query(
      `insert into internal.code_apps (user_id, sealed_secret) values ($1, 'x')`,
      [otherId],
    )
    await shop.owner.query(
      'update internal.code_apps set confirmed_at = now() where user_id = $1',
      [otherId],
    )
    await shop.owner.query(`update public.staff_accounts set role = 'owner' where user_id = $1`, [
      otherId,
    ])
    expect(await countBays(lena('owner'))).toBeGreaterThan(0)
  })

  it('also limits access tokens that were issued before the role changed', async () => {
    expect(await countBays(lena('owner'))).toBeGreaterThan(0)
    await change(admin, otherId, 'role', 'technician')
    expect(await countBays(lena('owner'))).toBe(0)
    await change(admin, otherId, 'role', 'advisor')
    expect(await countBays(lena('owner'))).toBeGreaterThan(0)
    await change(admin, otherId, 'is_active', false)
    expect(await countBays(lena('owner'))).toBe(0)
  })

  it('is owner, advisor or technician', async () => {
    await expect(change(admin, otherId, 'role', 'manager')).rejects.toMatchObject({ code: '23514' })
  })

  it('can be changed only through the server, because the server requires step-up authentication', async () => {
    for (const statement of [
      `update public.staff_accounts set role = 'advisor'`,
      `insert into public.staff_invitations (name, email, role, token_hash)
       values ('Mei Kato', 'mei@shop.example', 'owner', sha256('own token'))`,
      `select public.switch_staff_on('${otherId}')`,
    ]) {
      const refusal = await refusalTo(shop.database, admin, (query) =>
        query.unchecked(statement, []),
      )
      expect(refusal.code).toBe('42501')
    }
  })
})

describe('the name and the email address of a staff account', () => {
  it('default to the username and no email address', async () => {
    const { rows } = await shop.owner.query(
      'select name, email, employee_id from public.staff_accounts where user_id = $1',
      [otherId],
    )
    expect(rows).toEqual([{ name: 'lena', email: null, employee_id: null }])
  })

  it.each([
    ['name', ' ', '23514'],
    ['name', 'x'.repeat(81), '23514'],
    ['name', 'x'.repeat(80), undefined],
    ['email', 'no address', '23514'],
    ['email', 'Lena@shop.example', '23514'],
    ['email', 'lena@shop.example', undefined],
  ])('are validated: the %s "%s"', async (column, value, code) => {
    const changing = change(admin, otherId, column, value)
    if (code === undefined) expect(await changing).toHaveLength(1)
    else await expect(changing).rejects.toMatchObject({ code })
  })

  it('belong to one account: two accounts cannot have the same email address', async () => {
    await change(admin, otherId, 'email', 'lena@shop.example')
    await expect(change(admin, testOwnerId, 'email', 'lena@shop.example')).rejects.toMatchObject({
      code: '23505',
    })
  })
})

describe('the last active owner', () => {
  it('cannot be demoted, switched off or deleted', async () => {
    await change(admin, otherId, 'is_active', false)
    for (const [column, value] of [
      ['role', 'advisor'],
      ['is_active', false],
    ] as const) {
      await expect(change(admin, testOwnerId, column, value)).rejects.toMatchObject({
        code: 'TT120',
        hint: 'last_owner',
      })
    }
    await expect(
      shop.owner.query('delete from public.staff_accounts where user_id = $1', [testOwnerId]),
    ).rejects.toMatchObject({ code: 'TT120' })
  })

  it('keeps the role when two owners demote each other at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      await shop.owner.query(`update public.staff_accounts set role = 'owner', is_active = true`)
      const outcomes = await Promise.allSettled([
        change(admin, otherId, 'role', 'advisor'),
        change(lena('owner'), testOwnerId, 'role', 'advisor'),
      ])
      const { rows } = await shop.owner.query(
        `select from public.staff_accounts where role = 'owner' and is_active`,
      )
      expect(rows).toHaveLength(1)
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    }
  })
})
