import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { testAdmin } from '#tests/support/app/app.ts'
import { playDepositHistory, readDeposit } from '#tests/support/app/deposit-history.ts'
import {
  changeOf,
  compareInvoice,
  inFiles,
  keptByStripe,
  readDay,
  receiptBalance,
  receivedBy,
  sum,
} from '#tests/support/app/ledger-comparison.ts'
import { createLedgerHistory } from '#tests/support/app/ledger-history.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { seeded } from '#tests/support/database/vehicle-model.ts'
import { testSize } from '#tests/long/test-size.ts'

let shop: PaymentApp
let history: ReturnType<typeof createLedgerHistory>
beforeAll(async () => {
  shop = await createPaymentApp()
  history = createLedgerHistory(shop)
  await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
})
afterAll(() => shop.close())

/**
 * `histories` is the number of random test runs per test, and `stepsOfHistory` the number of random operations in a
 * run. The number of a run is the seed of its random generator.
 */
const histories = testSize('LEDGER_HISTORIES', { short: 10, long: 150 })
const stepsOfHistory = 9

type Lived = {
  readonly names: readonly string[]
  /** The invoices of the test run, including replacement invoices. */
  readonly invoices: readonly InvoiceDetail[]
  /** The unpaid amount of the invoice in cents after each payment, by payment id. */
  readonly balances: ReadonlyMap<string, number>
}

async function makeInvoice(): Promise<string> {
  const email = `dana.${randomUUID()}@example.com`
  return (await shop.createInvoice({ customer: { name: 'Dana', email, phone: '' } })).id
}

/** Reads the invoices with these ids and all their replacement invoices, recursively. */
async function readFamily(ids: readonly string[]): Promise<InvoiceDetail[]> {
  const invoices = await Promise.all(ids.map((id) => history.read(id)))
  const next = invoices.flatMap(({ replacements }) =>
    replacements.flatMap(({ invoiceId }) => invoiceId ?? []),
  )
  return next.length === 0 ? invoices : [...invoices, ...(await readFamily(next))]
}

/** Runs random payment operations on two invoices and their replacement invoices. */
async function live(
  ids: readonly string[],
  random: () => number,
  before: readonly string[] = [],
): Promise<Lived> {
  const part = (cents: number) => Math.max(1, Math.ceil(cents * (random() < 0.4 ? 1 : random())))
  const all = Object.keys(history.steps)
  const names = [...before]
  const balances = new Map<string, number>()
  for (let step = 0; step < stepsOfHistory; step += 1) {
    // The first operations are usually payments, because void and cancelled invoices allow no further operation.
    const name = all[Math.floor(random() * (step < 2 ? 8 : all.length))] ?? 'report'
    const family = await readFamily(ids)
    const invoice = family[random() < 0.6 ? 0 : Math.floor(random() * family.length)]
    const other = family.find((known) => known.id !== invoice?.id)
    if (!invoice || !other) throw new Error('A history has two invoices')
    names.push(`${name} ${family.indexOf(invoice)}`)
    const answer = await history.steps[name]?.({ invoice, other: other.id, part })
    keepBalance(balances, answer, invoice)
  }
  expect({ names, failures: await history.report() }).toEqual({ names, failures: [] })
  await shop.deliverEvents()
  return { names, invoices: await readFamily(ids), balances }
}

/**
 * Stores the unpaid amount of the invoice after a payment, without the amounts for which a replacement invoice will be
 * created.
 */
function keepBalance(
  balances: Map<string, number>,
  answer: unknown,
  { replacements }: InvoiceDetail,
): void {
  const { result } = Object(Object(answer).body) as {
    result?: { paymentId?: string; balanceCents: number }
  }
  if (result?.paymentId === undefined) return
  const awaited = replacements.filter(({ invoiceId }) => invoiceId === null)
  balances.set(
    result.paymentId,
    result.balanceCents - sum(awaited.map(({ amountCents }) => amountCents)),
  )
}

/**
 * Expects that all pages, emails and files show the same amounts after a test run. `deposit` contains the ledger
 * entries of the deposit.
 */
async function compare(
  { names, invoices, balances }: Lived,
  before: Awaited<ReturnType<typeof readDay>>,
  deposit: { id: string; lines: Parameters<typeof receivedBy>[0] } | undefined,
): Promise<void> {
  for (const invoice of invoices) {
    await compareInvoice(shop, invoice).catch((error: unknown) => {
      throw new Error(`${names.join(', ')}, invoice ${invoices.indexOf(invoice)}`, { cause: error })
    })
  }
  const lines = [...invoices.flatMap(({ ledger }) => ledger), ...(deposit?.lines ?? [])]
  const received = receivedBy(lines)
  const after = await readDay(shop)
  const ids = invoices.map(({ id }) => id)
  const receipts = new Map<string, number>()
  for (const id of balances.keys()) receipts.set(id, await receiptBalance(shop, id))
  expect({
    names,
    onToday: changeOf(before.onToday, after.onToday),
    inClose: changeOf(before.inClose, after.inClose),
    receivedCents: after.receivedCents - before.receivedCents,
    drawerCents: after.drawerCents - before.drawerCents,
    keptByStripe: await keptByStripe(shop, ids, deposit?.id),
    differences: after.differences.filter((id) => ids.includes(id)),
    receipts,
  }).toEqual({
    names,
    onToday: received,
    inClose: received,
    receivedCents: sum(Object.values(received)),
    drawerCents: received.cash,
    keptByStripe: received.card_online,
    differences: [],
    receipts: balances,
  })
}

/**
 * Returns the seeds of the test runs without duplicates: consecutive numbers from `first`, and the seeds in `found`,
 * whose runs once failed.
 */
const seeds = (first: number, found: readonly number[]) => [
  ...new Set([...Array.from({ length: histories }, (_, index) => first + index), ...found]),
]
const timeout = 120_000

describe('a random sequence of payments and corrections', () => {
  it.each(seeds(1, [21, 55, 76]))(
    'random sequence %i of payments and corrections ends with equal amounts in the ledger, on invoices and receipts, on Today, in the day close, in the accountant files and at Stripe',
    async (seed) => {
      const before = await readDay(shop)
      const roundsCash = seed % 3 === 0
      await shop.database.owner.query('update public.booking_rules set rounds_cash = $1', [
        roundsCash,
      ])
      const ids = [await makeInvoice(), await makeInvoice()]
      const lived = await live(ids, seeded(seed))
      expect(lived.names).toHaveLength(stepsOfHistory)
      await compare(lived, before, undefined)
    },
    timeout,
  )
})

describe('a random sequence of operations on a deposit and its invoice', () => {
  it.each(seeds(1001, [1031, 1033, 1073]))(
    'random sequence %i of deposit operations ends with equal amounts in the ledger, on invoices and receipts, on Today, in the day close, in the accountant files and at Stripe',
    async (seed) => {
      const random = seeded(seed)
      const before = await readDay(shop)
      await shop.database.owner.query('update public.booking_rules set rounds_cash = false')
      const played = await playDepositHistory(shop, random)
      const { estimateId, invoiceId } = played
      const lived =
        invoiceId === undefined
          ? { names: played.history, invoices: [], balances: new Map<string, number>() }
          : await live([invoiceId, await makeInvoice()], random, played.history)
      if (invoiceId === undefined) expect(await history.report()).toEqual([])
      await shop.deliverEvents()
      const { lines, heldCents } = await readDeposit(shop, estimateId)
      const { names, invoices } = lived
      const applied = invoices.flatMap(({ ledger }) =>
        ledger.filter(({ kind }) => kind === 'applied_deposit'),
      )
      const taken = sum(lines.map(({ amountCents }) => amountCents))
      // The received deposit minus its refunds is either applied to the invoice, to the cent, or listed on the Today
      // page. There, staff decide what to do with the deposit.
      expect({ names, heldCents, taken }).toEqual({
        names,
        heldCents: invoiceId === undefined ? taken : 0,
        taken: heldCents + sum(applied.map(({ amountCents }) => amountCents)),
      })
      const { undecided } = await readDay(shop)
      expect({ names, undecided: undecided.get(estimateId) ?? 0 }).toEqual({
        names,
        undecided: heldCents,
      })
      expect(await inFiles(shop, played.number)).toEqual(receivedBy(lines))
      await compare(lived, before, { id: estimateId, lines })
    },
    timeout,
  )
})
