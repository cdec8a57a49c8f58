import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { applyLatestFacts } from './apply-latest-facts.ts'

const recoveredMs = 1_000
const [ana, bea, cal] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
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
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data)
     select id, email, 'old', '{"role":"admin"}' from (values
       ($1::uuid, 'ana@staff.example'), ($2::uuid, 'bea@staff.example')) admins (id, email)`,
    [ana, bea],
  )
})
afterEach(async () => {
  await client.end()
  await test.drop()
})

const readAdmins = async () =>
  (
    await client.query(
      `select id, encrypted_password as "passwordHash" from auth.users order by id`,
    )
  ).rows as object[]

it('a restored database gets the later password of an admin, and loses an admin who was removed later', async () => {
  const accounts = [{ userId: ana, passwordHash: 'new' }]
  await applyLatestFacts(client, { atMs: recoveredMs + 1, accounts, counts: {} }, recoveredMs)
  expect(await readAdmins()).toEqual([{ id: ana, passwordHash: 'new' }])
})

it('admins stay the same when the recovered moment is later than the facts', async () => {
  const before = await readAdmins()
  const accounts = [{ userId: ana, passwordHash: 'older' }]
  await applyLatestFacts(client, { atMs: recoveredMs, accounts, counts: {} }, recoveredMs)
  await applyLatestFacts(client, undefined, recoveredMs)
  expect(await readAdmins()).toEqual(before)
})

it('no admin is removed when the recovered database has none of the later admins', async () => {
  const before = await readAdmins()
  const accounts = [{ userId: cal, passwordHash: 'new' }]
  await applyLatestFacts(client, { atMs: recoveredMs + 1, accounts, counts: {} }, recoveredMs)
  expect(await readAdmins()).toEqual(before)
})

it('new numbers are higher than the last one at the target and in the recovered database', async () => {
  await client.query(
    `select setval('internal.invoice_count', 50), setval('internal.estimate_count', 400)`,
  )
  const counts = { 'internal.invoice_count': 70, 'internal.estimate_count': 300 }
  await applyLatestFacts(client, { atMs: recoveredMs + 1, accounts: [], counts }, recoveredMs)
  const { rows } = await client.query(
    `select nextval('internal.invoice_count') > 70 + 1 as invoices, nextval('internal.estimate_count') > 400 + 1 as estimates`,
  )
  expect(rows).toEqual([{ invoices: true, estimates: true }])
})
