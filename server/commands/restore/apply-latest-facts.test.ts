import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Facts } from '#server/platform/backup/latest-facts.ts'
import {
  createTestDatabase,
  type TestDatabase,
  testOwnerId,
} from '#tests/support/database/database.ts'
import { applyLatestFacts } from './apply-latest-facts.ts'

const recoveredMs = 1_000
const [ada, bea, cal] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000001${n}`) as [
  string,
  string,
  string,
]

let test: TestDatabase
let client: Client
beforeEach(async () => {
  test = await createTestDatabase()
  client = new Client({ connectionString: test.ownerUrl })
  await client.connect()
  await client.query(
    `insert into auth.users (id, email, encrypted_password)
     select id, email, 'old' from (values
       ($1::uuid, 'ada@staff.example'), ($2::uuid, 'bea@staff.example')) staff (id, email)`,
    [ada, bea],
  )
  await client.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'ada', 'owner'), ($2, 'bea', 'advisor')`,
    [ada, bea],
  )
  await client.query('delete from public.staff_accounts where user_id = $1', [testOwnerId])
})
afterEach(async () => {
  await client.end()
  await test.drop()
})

/**
 * Applies `facts` (accounts, passkeys and counters), which the shop sent to the backup target at `atMs`, by default a
 * millisecond after the moment to which the database was restored.
 */
const apply = (facts: Partial<Facts>, atMs = recoveredMs + 1) =>
  applyLatestFacts(client, { accounts: [], counts: {}, ...facts, atMs }, recoveredMs)

const readStaff = async () => {
  const { rows } = await client.query<Record<string, unknown>>(
    `select username, role, is_active as "isActive", encrypted_password as password
     from public.staff_accounts left join auth.users on users.id = user_id order by username`,
  )
  return rows
}
const asRecovered = [
  { username: 'ada', role: 'owner', isActive: true, password: 'old' },
  { username: 'bea', role: 'advisor', isActive: true, password: 'old' },
]
const passwords = (...userIds: string[]) =>
  userIds.map((userId) => ({ userId, passwordHash: 'new' }))

describe('a restore to an earlier moment', () => {
  it('sets the newest passwords and roles, even if the only owner of that moment is no longer an owner', async () => {
    const staff = [
      { userId: ada, role: 'technician', isActive: true },
      { userId: bea, role: 'owner', isActive: true },
    ]
    expect(await apply({ accounts: passwords(ada, bea), staff })).toBe(true)
    expect(await readStaff()).toEqual([
      { username: 'ada', role: 'technician', isActive: true, password: 'new' },
      { username: 'bea', role: 'owner', isActive: true, password: 'new' },
    ])
  })

  it('switches off an account that was switched off later, and deletes a user who was removed later', async () => {
    const staff = [
      { userId: ada, role: 'owner', isActive: true },
      { userId: bea, role: 'advisor', isActive: false },
    ]
    await apply({ accounts: passwords(ada, bea), staff })
    const off = { username: 'bea', role: 'advisor', isActive: false }
    expect((await readStaff())[1]).toEqual({ ...off, password: 'new' })
    await apply({ accounts: passwords(ada), staff })
    expect((await readStaff())[1]).toEqual({ ...off, password: null })
  })

  it('switches off an account that is missing from the staff list at the backup target', async () => {
    const staff = [{ userId: ada, role: 'owner', isActive: true }]
    await apply({ accounts: passwords(ada), staff })
    expect((await readStaff())[1]).toMatchObject({ isActive: false, password: null })
  })

  it('accepts a staff list of an earlier site version, which names only users who could sign in, and switches off all other accounts', async () => {
    expect(await apply({ accounts: passwords(ada) })).toBe(true)
    expect(await readStaff()).toEqual([
      { username: 'ada', role: 'owner', isActive: true, password: 'new' },
      { username: 'bea', role: 'advisor', isActive: false, password: null },
    ])
  })

  it('leaves all accounts as they were at that moment and returns false if otherwise no owner could sign in', async () => {
    const later = { userId: cal, role: 'owner', isActive: true }
    const off = { userId: ada, role: 'owner', isActive: false }
    const demoted = { userId: ada, role: 'advisor', isActive: true }
    expect(await apply({ accounts: passwords(cal) })).toBe(false)
    expect(await apply({ accounts: passwords(cal), staff: [later] })).toBe(false)
    expect(await apply({ accounts: passwords(bea, cal), staff: [later, off] })).toBe(false)
    expect(await apply({ accounts: passwords(ada, bea, cal), staff: [later, demoted] })).toBe(false)
    expect(await readStaff()).toEqual(asRecovered)
  })

  it('counts an active owner whose user was removed as an owner who cannot sign in', async () => {
    const staff = [{ userId: ada, role: 'owner', isActive: true }]
    expect(await apply({ accounts: passwords(bea), staff })).toBe(false)
    expect(await readStaff()).toEqual(asRecovered)
  })

  it('switches off exactly the employees who were switched off after that moment', async () => {
    await client.query('delete from public.employees')
    await client.query(
      `insert into public.employees (id, name, email) values
         ($1, 'Ada', 'ada@example.com'), ($2, 'Bea', 'bea@example.com')`,
      [ada, bea],
    )
    const active = async () =>
      (await client.query('select name from public.employees where is_active order by name')).rows
    const owner = { userId: ada, role: 'owner', isActive: true }
    const facts = { accounts: passwords(ada), staff: [owner], inactiveEmployees: [bea, cal] }
    await apply(facts, recoveredMs)
    expect(await active()).toEqual([{ name: 'Ada' }, { name: 'Bea' }])
    await apply(facts)
    expect(await active()).toEqual([{ name: 'Ada' }])
  })
})

it('a restore leaves accounts unchanged when the staff list at the backup target is missing or older than the recovered moment', async () => {
  const staff = [{ userId: ada, role: 'owner', isActive: true }]
  expect(await apply({ accounts: passwords(ada), staff }, recoveredMs)).toBe(true)
  expect(await applyLatestFacts(client, undefined, recoveredMs)).toBe(true)
  expect(await readStaff()).toEqual(asRecovered)
})

it('a restore raises the numbers of new invoices and estimates above the last numbers at the backup target and in the recovered database', async () => {
  await client.query(
    `select setval('internal.invoice_count', 50), setval('internal.estimate_count', 400)`,
  )
  await apply({ counts: { 'internal.invoice_count': 70, 'internal.estimate_count': 300 } })
  const { rows } = await client.query(
    `select nextval('internal.invoice_count') > 70 + 1 as invoices, nextval('internal.estimate_count') > 400 + 1 as estimates`,
  )
  expect(rows).toEqual([{ invoices: true, estimates: true }])
})

describe('the passkeys of a restored shop', () => {
  const [kept, removed] = [1, 2].map((n) => `00000000-0000-4000-8000-0000000000b${n}`)
  const names = async () =>
    (
      await client.query<{ name: string }>('select name from internal.passkeys order by name')
    ).rows.map(({ name }) => name)
  const staff = [{ userId: ada, role: 'owner', isActive: true }]
  beforeEach(() =>
    client.query(
      `insert into internal.passkeys (id, user_id, credential_id, public_key, counter, is_backup_eligible,
         is_backed_up, transports, name, rp_id) values
         ('${kept}', '${ada}', 'one', 'key', 0, false, false, '{}', 'kept', 'shop.example'),
         ('${removed}', '${ada}', 'two', 'key', 0, false, false, '{}', 'removed later', 'shop.example')`,
    ),
  )

  it('are those that nobody removed or switched off after the recovered moment', async () => {
    await apply({ accounts: passwords(ada), staff, passkeys: [kept ?? ''] })
    expect(await names()).toEqual(['kept'])
  })

  it('are deleted if somebody removed them after the recovered moment, even when the restore leaves the accounts unchanged', async () => {
    expect(await apply({ accounts: passwords(cal), passkeys: [] })).toBe(false)
    expect(await names()).toEqual([])
  })

  it('stay if the passkey list at the backup target is older than the recovered moment, or if an earlier site version wrote no passkey list', async () => {
    await apply({ accounts: passwords(ada), staff, passkeys: [] }, recoveredMs)
    await apply({ accounts: passwords(ada), staff })
    expect(await names()).toEqual(['kept', 'removed later'])
  })
})
