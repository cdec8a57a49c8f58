import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { redactExpiredRecords } from './redact-expired-records.ts'

const customer = {
  name: 'Zebulon Quartermain',
  email: 'zebulon.q@example.com',
  phone: '6505550143',
}

let shop: PaymentApp
let outbox: string
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.database.owner.query<Row>(sql, values)).rows

beforeAll(async () => {
  shop = await createPaymentApp()
  outbox = join(shop.config.dataDirectory, 'outbox')
})
afterAll(() => shop.close())
beforeEach(() => runQuery(truncateTables('public.customers', 'public.invoices', 'public.emails')))

async function erase() {
  const [customerRow] = await runQuery<{ id: string; version: number }>(
    'select id, version from public.customers where erased_at is null',
  )
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
  return shop.post('/api/customers/erase', {
    customerId: customerRow?.id,
    version: customerRow?.version,
    excludedKeys: [],
    confirmation: 'erase',
  })
}
const listEmails = () =>
  runQuery<{ id: string; subject: string }>(
    `select id, subject from public.emails where concat_ws(' ', recipient_email, html_body, text_body) ~* 'zebulon'`,
  )

it('A receipt email that was queued after the erasure of its customer is deleted once it has been sent', async () => {
  const invoice = await shop.createInvoice({ customer })
  await shop.payByCard(await shop.checkout(invoice.id))
  expect(await erase()).toMatchObject({ body: { code: 'CUSTOMER_HAS_OPEN_RECORDS' } })
  await shop.deliverEvents()
  expect(await erase()).toMatchObject({ status: 200 })
  await runQuery(
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, invoice_id)
     values ('payment_receipt', 'late', $1, $2, 'Receipt', 'Zebulon', 'Zebulon', $3)`,
    [customer.email, customer.name, invoice.id],
  )
  await redactExpiredRecords(shop.database.database, outbox)
  expect(await listEmails()).toHaveLength(1)
  await runQuery(`update public.emails set status = 'sent', sent_at = now()`)
  await redactExpiredRecords(shop.database.database, outbox)
  expect(await listEmails()).toEqual([])
})

it('The erasure of a customer succeeds even if Stripe no longer has one of the customer’s invoices', async () => {
  await runQuery('select internal.link_invoice($1)', [
    {
      id: 'in_unknown',
      number: 'INV-1',
      ...customer,
      total_cents: 4900,
      currency: 'usd',
      status: 'open',
      created_at: 1_790_000_000,
    },
  ])
  expect(await erase()).toMatchObject({ status: 200 })
  expect(await runQuery('select number, total_cents::int, status from public.invoices')).toEqual([
    { number: 'INV-1', total_cents: 4900, status: 'void' },
  ])
})

it('The erasure of a customer deletes the owner notices about undelivered emails to the customer, and the .eml files of deleted emails', async () => {
  await shop.createInvoice({ customer })
  await runQuery(`update public.invoices set status = 'paid'`)
  const [email] = await runQuery<{ id: string }>(
    // The status is 'sent', so that the app's email job does not deliver the email and write its file during the test.
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, status, sent_at)
     values ('booking_confirmation', 'story-1', $1, $2, 'Your visit', 'Zebulon', 'Zebulon', 'sent', now()) returning id`,
    [customer.email, customer.name],
  )
  await runQuery(
    `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, status, sent_at)
     values ('owner_notice', $1, 'owner@example.com', '', 'Not delivered', 'To Zebulon', 'To Zebulon', 'sent', now()),
       ('owner_notice', 'undelivered:<another.0@example.com>', 'owner@example.com', '', 'Not delivered', 'To Sam', 'To Sam', 'sent', now())`,
    [`undelivered:<${email?.id}.0@example.com>`],
  )
  const [kept] = await runQuery<{ id: string }>(
    `select id from public.emails where text_body = 'To Sam'`,
  )
  await mkdir(outbox, { recursive: true })
  // The outbox file of an email that was deleted together with its booking.
  await writeFile(
    join(outbox, '20261128T213000-booking_confirmation-0b5c0000-0000-4000-8000-000000000001.eml'),
    'Zebulon',
  )
  const retainedFiles = [`20261128T213000-owner_notice-${kept?.id}.eml`, 'readme.txt']
  for (const file of retainedFiles) await writeFile(join(outbox, file), 'Sam')
  expect(await erase()).toMatchObject({ status: 200 })
  expect(await listEmails()).toEqual([])
  expect(await runQuery(`select from public.emails where text_body = 'To Sam'`)).toHaveLength(1)
  // The outbox folder may also contain emails that were queued after the erasure.
  const files = await readdir(outbox)
  expect(files).toEqual(expect.arrayContaining(retainedFiles))
  for (const file of files)
    expect(await readFile(join(outbox, file), 'utf8')).not.toMatch(/zebulon/i)
})
