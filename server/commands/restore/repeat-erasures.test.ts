import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { repeatErasures } from './repeat-erasures.ts'

let shop: TestDatabase
let outbox: string
let client: Client
beforeAll(async () => {
  shop = await createTestDatabase()
  outbox = mkdtempSync(join(tmpdir(), 'torque-erasures-'))
  client = new Client({ connectionString: shop.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.drop()
  rmSync(outbox, { recursive: true, force: true })
})

const ids = {
  erasure: '0b5c0000-0000-4000-8000-000000000001',
  dana: '0b5c0000-0000-4000-8000-000000000002',
  unknown: '0b5c0000-0000-4000-8000-000000000003',
  email: '0b5c0000-0000-4000-8000-000000000004',
}

it('a restore repeats once the later erasure of a customer, and deletes the customer’s emails in the outbox', async () => {
  await client.query(
    `insert into public.customers (id, name, email) values ('${ids.dana}', 'Dana', 'dana@example.com')`,
  )
  writeFileSync(join(outbox, `20261128T213000-booking_confirmation-${ids.email}.eml`), 'Hi Dana')
  const removal = { id: ids.erasure, customerId: ids.dana, atMs: Date.now() }
  const later = { ...removal, id: ids.email, customerId: ids.unknown }
  expect(await repeatErasures(client, [removal, later], outbox)).toBe(0)
  const { rows } = await client.query('select name, email from public.customers where id = $1', [
    ids.dana,
  ])
  expect(rows).toEqual([{ name: 'Erased', email: null }])
  expect(readdirSync(outbox)).toEqual([])
  expect(await repeatErasures(client, [removal], outbox)).toBe(0)
  const erasures = await client.query('select erased_by_name from public.erasures')
  expect(erasures.rows).toEqual([{ erased_by_name: 'restore' }])
})

it('a restore counts the customers whose erasure the database refuses, for example because of an upcoming appointment', async () => {
  const { rows } = await client.query<{ id: string }>(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select id, internal.shop_now()::date + 10, '12:00', 30, 'Walt', 'walt@example.com', '(650) 555-0142', '2019',
       'Subaru', 'Outback'
     from public.services order by position limit 1
     returning customer_id as id`,
  )
  const customerId = rows[0]?.id ?? ''
  const removal = { id: ids.unknown, customerId, atMs: Date.now() }
  expect(await repeatErasures(client, [removal], outbox)).toBe(1)
})
