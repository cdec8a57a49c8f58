import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { queryOf } from '@local/postgres'
import {
  createTestDatabase,
  type TestDatabase,
  testOwnerId,
} from '#tests/support/database/database.ts'
import { readFacts } from './read-facts.ts'

const [ada, bea, cal, dan, eve] = [1, 2, 3, 4, 5].map(
  (n) => `00000000-0000-4000-8000-00000000001${n}`,
)

const passkeyOfAda = '00000000-0000-4000-8000-0000000000a1'

let test: TestDatabase
let client: Client
beforeAll(async () => {
  test = await createTestDatabase()
  client = new Client({ connectionString: test.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await test.drop()
})

it('the staff data that a restore applies again contain all staff accounts, their users and password hashes, the enabled passkeys, and the deactivated employees', async () => {
  // Cal has a staff account whose user in the auth service was deleted. Eve has no password yet. The user
  // 'guest@example.com' has no staff account.
  await client.query(
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data) values
       ('${ada}', 'ada@staff.example', 'hash of Ada', '{}'), ('${bea}', 'bea@staff.example', 'hash of Bea', '{}'),
       ('${dan}', 'guest@example.com', 'hash of a guest', '{"role":"admin"}'),
       ('${eve}', 'eve@staff.example', null, '{}')`,
  )
  await client.query(
    `insert into public.staff_accounts (user_id, username, role, is_active) values
       ('${bea}', 'bea', 'technician', true), ('${ada}', 'ada', 'owner', true), ('${cal}', 'cal', 'advisor', false),
       ('${eve}', 'eve', 'advisor', true)`,
  )
  await client.query('delete from public.staff_accounts where user_id = $1', [testOwnerId])
  await client.query('delete from public.employees')
  await client.query(
    `insert into public.employees (id, name, email, is_active) values
       ('${ada}', 'Ada', 'ada@example.com', true), ('${cal}', 'Cal', 'cal@example.com', false)`,
  )
  await client.query(
    `insert into internal.passkeys (id, user_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up,
       transports, name, rp_id, anomaly_count, is_active) values
       ('${passkeyOfAda}', '${ada}', 'one', 'key', 0, false, false, '{}', 'Laptop', 'shop.example', 0, true),
       (gen_random_uuid(), '${ada}', 'two', 'key', 0, false, false, '{}', 'Lost', 'shop.example', 2, false)`,
  )
  await client.query(`select setval('internal.invoice_count', 41)`)
  expect(await readFacts(queryOf(client), 'own')).toEqual({
    accounts: [
      { userId: ada, passwordHash: 'hash of Ada' },
      { userId: bea, passwordHash: 'hash of Bea' },
      { userId: eve, passwordHash: null },
    ],
    staff: [
      { userId: ada, role: 'owner', isActive: true },
      { userId: bea, role: 'technician', isActive: true },
      { userId: cal, role: 'advisor', isActive: false },
      { userId: eve, role: 'advisor', isActive: true },
    ],
    inactiveEmployees: [cal],
    passkeys: [passkeyOfAda],
    counts: { 'internal.invoice_count': 41, 'internal.estimate_count': 0 },
  })
})

it('the staff data that a restore applies again contain, for a hosted Supabase project, the user of every account but no password hash', async () => {
  const { accounts } = await readFacts(queryOf(client), 'hosted')
  expect(accounts).toEqual([ada, bea, eve].map((userId) => ({ userId, passwordHash: null })))
})
