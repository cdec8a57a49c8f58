import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import {
  assignInvoiceNumber,
  readInvoiceCount,
  writeInvoiceNumber,
} from './assign-invoice-number.ts'
import { checkInvoiceNumbers } from './check-invoice-numbers.ts'

let shop: PaymentApp
let customer: string
beforeAll(async () => {
  shop = await createPaymentApp()
  customer = (await shop.stripe.customers.create({ name: 'Dana' })).id
})
afterAll(() => shop.close())

/** Simulates a shop that was just restored from a backup made when its counter of invoice numbers was at `count`. */
const restore = (count: number) =>
  shop.database.owner.query(
    `delete from internal.restored_shop;
     insert into internal.restored_shop (recovered_until) values (now());
     select setval('internal.invoice_count', ${count})`,
  )
/** Creates an invoice at Stripe that the restored database does not contain. */
const addAtStripe = (number: string) => shop.stripe.invoices.create({ customer, number })

let requests = 0
const nextCount = async () => {
  requests += 1
  const number = await assignInvoiceNumber(
    shop.database.database,
    `after-restore-${requests}`,
    Date.now(),
  )
  return readInvoiceCount(number)
}

let reported: string[] = []
const check = () =>
  checkInvoiceNumbers({ ...shop.context, report: (what) => void reported.push(what) })
const isUnchecked = async () =>
  ((await shop.get(backupEndpoints.read.path)).body as unknown as Backup).areNumbersUnchecked

beforeEach(async () => {
  reported = []
  shop.breakCalls(undefined)
  shop.drainCalls()
})

describe('the invoice numbers of a restored shop', () => {
  it('continue above the highest number of the shop’s format among the newest Stripe invoices', async () => {
    await addAtStripe('INV-2026-0057-7K3QXR')
    await addAtStripe('INV-2026-0031-7K3QXR')
    for (const number of ['OTHER-900', 'INV-2026-9999999999-7K3QXR', 'INV-2026-0900-AEIOU1']) {
      await addAtStripe(number)
    }
    await restore(40)
    await check()
    expect(await nextCount()).toBe(58)
    expect(await isUnchecked()).toBe(false)
  })

  it('are not lowered when the numbers at Stripe are lower', async () => {
    await restore(80)
    await check()
    expect(await nextCount()).toBe(81)
  })

  it('are compared with Stripe once after each restore, with a single request', async () => {
    await restore(1)
    await check()
    await check()
    expect(shop.drainCalls()).toEqual(['GET /v1/invoices'])
    expect(await nextCount()).toBe(58)
  })

  it('continue from the restored database during a Stripe outage, with a logged warning, and are compared with Stripe later', async () => {
    await restore(40)
    shop.breakCalls(() => 'before')
    await check()
    expect(shop.drainCalls()).toEqual(['GET /v1/invoices'])
    expect(reported).toEqual([expect.stringContaining('20 above the last number')])
    expect(await nextCount()).toBe(41)
    expect(await isUnchecked()).toBe(true)
    shop.breakCalls(undefined)
    await check()
    expect(await nextCount()).toBe(58)
    expect(await isUnchecked()).toBe(false)
  })
})

it('a shop that was never restored sends no request to Stripe to check its invoice numbers', async () => {
  await shop.database.owner.query('delete from internal.restored_shop')
  await check()
  expect(shop.drainCalls()).toEqual([])
  expect(await isUnchecked()).toBe(false)
})

it('readInvoiceCount returns the count of each number that writeInvoiceNumber creates', () => {
  expect(
    [1, 42, 999_999_999].map((count) => readInvoiceCount(writeInvoiceNumber('2026', count))),
  ).toEqual([1, 42, 999_999_999])
})
