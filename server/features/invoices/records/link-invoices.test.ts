import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { backfillInvoices } from './backfill-invoices.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

const links = async () => {
  const { rows } = await shop.database.owner.query(
    `select links.number, links.status, links.total_cents::int as cents, person.email
     from public.invoices links join public.customers person on person.id = links.customer_id order by links.created_at, number`,
  )
  return rows
}

it('An invoice is linked to its customer when it is created, and its stored state is updated after each change', async () => {
  const { id, number } = await shop.createInvoice()
  expect(await links()).toMatchObject([{ number, status: 'open', email: 'dana@example.com' }])
  await shop.payByCard(await shop.checkout(id))
  await shop.deliverEvents()
  expect(await links()).toMatchObject([{ number, status: 'paid' }])
})

it('Invoices that are older than the customer records are read from Stripe and linked to customers once', async () => {
  await shop.createInvoice()
  const before = await links()
  // A trigger makes invoice lines append-only, so the test disables the trigger to delete lines.
  await shop.database.owner.query(
    `set shop.ledger_exception = 'sample_week_removal'; delete from public.invoices; reset shop.ledger_exception`,
  )
  await backfillInvoices(shop.context, new AbortController().signal)
  expect(await links()).toEqual(before)
  shop.drainCalls()
  await backfillInvoices(shop.context, new AbortController().signal)
  expect(shop.drainCalls()).toEqual([])
})
