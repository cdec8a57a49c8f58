import { testKeys } from '#tests/support/app/test-keys.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createInvoice } from '#server/features/invoices/create-invoice.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { toInvoiceDocument } from '#server/features/invoices/document/invoice-document.ts'
import { createInvoicePdfs } from '#server/features/invoices/pdf/invoice-pdfs.ts'
import { renderInvoicePdf } from '#server/features/invoices/pdf/render-invoice-pdf.ts'
import { bringUpToDate, poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { type Database, openDatabase } from '@local/postgres'
import { connectStripe, type Stripe } from '#server/features/payments/stripe.ts'
import { createStripeSandbox, type StripeSandbox } from '@local/stripe-sandbox'
import { startPostgres } from './prepared.ts'
import { amountOf } from './smoke.ts'

// Measures payments on this machine: looking up an invoice, verifying a payment, rendering the PDF. The baseline of the
// requests is one read of the invoice from the Stripe sandbox; the baseline of the PDF is the same invoice with one
// line.
//   npm run bench -- payments      (BENCH_RUNS: runs of each measurement, 100 by default)

const runs = amountOf(100, 1, 'BENCH_RUNS')
const warmUps = amountOf(5, 0)
const issuer = { ...defaultShop, registrationNumber: '', epaNumber: '', conditions: '' }

type Row = { readonly name: string; readonly times: number[]; readonly floor: string }

const server = await startPostgres()
try {
  await bringUpToDate(server.ownerUrl)
  const database = openDatabase(poolUrlOf(server.ownerUrl))
  const shop = await openShop(database)
  print('milliseconds', [...(await measureCalls(shop)), ...(await measurePdf(shop))])
  await shop.app.close()
  await database.close()
} finally {
  await server.stop()
}

type Shop = { app: FastifyInstance; stripe: Stripe; database: Database }

async function openShop(database: Database): Promise<Shop> {
  const settings = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
  if (!settings.ok) throw new Error(settings.refusal.join('\n'))
  let sandbox: StripeSandbox | undefined
  const app = await buildApp({
    config: { ...settings.value, rateLimits: 'off', dataDirectory: server.dataDirectory },
    database,
    keys: testKeys,
    now: Date.now,
    createSandbox: (options) => (sandbox = createStripeSandbox({ ...options, background: false })),
  })
  await app.ready()
  if (!sandbox) throw new Error('The app started without a Stripe sandbox')
  return {
    app,
    database,
    stripe: connectStripe({ fetch: sandbox.fetch, webhookSecret: '' }).client,
  }
}

function order(lines: number) {
  return {
    customer: { name: 'Dana Whitfield', email: 'dana@example.com', phone: '' },
    lines: Array.from({ length: lines }, (_, index) => ({
      description: `Part ${index + 1}, fitted and tightened to spec`,
      amountCents: 1999,
      quantity: 1,
    })),
    memo: '',
    dueDays: 7,
  }
}

async function measureCalls({ app, stripe, database }: Shop): Promise<Row[]> {
  const open = await makeInvoice({ stripe, database, now: Date.now }, order(3), 'bench-open')
  const { sessionId, invoiceId } = await payOne({ app, stripe, database })
  const lookUp = (invoiceNumber: string | null) =>
    app.inject({ method: 'POST', url: '/api/invoice/lookup', payload: { invoiceNumber } })
  const get = (url: string) => app.inject({ method: 'GET', url })
  const floor = 'invoice read'
  return [
    { name: floor, floor, times: await time(() => stripe.invoices.retrieve(open.id)) },
    { name: 'lookup, known number', floor, times: await time(() => lookUp(open.number)) },
    { name: 'lookup, unknown number', floor, times: await time(() => lookUp('NOPE-1')) },
    {
      name: 'verify by session',
      floor,
      times: await time(() => get(`/api/payment/session-verify?sessionId=${sessionId}`)),
    },
    {
      name: 'verify by invoice',
      floor,
      times: await time(() => get(`/api/payment/verify?invoiceId=${invoiceId}`)),
    },
  ]
}

async function makeInvoice(...args: Parameters<typeof createInvoice>) {
  const made = await createInvoice(...args)
  if (!made.ok) throw new Error(made.refusal.code)
  return made.value
}

async function payOne({ app, stripe, database }: Shop) {
  const { id: invoiceId } = await makeInvoice(
    { stripe, database, now: Date.now },
    order(3),
    'bench-paid',
  )
  const opened = await app.inject({
    method: 'POST',
    url: '/api/create-checkout',
    payload: { invoiceId },
  })
  const { checkout } = opened.json<{ checkout: { url: string } }>()
  const card = { number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Dana' }
  const paid = await app.inject({
    method: 'POST',
    url: new URL(checkout.url).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(card).toString(),
  })
  const sessionId = new URL(paid.headers.location ?? '').searchParams.get('session_id')
  return { invoiceId, sessionId }
}

async function measurePdf({ stripe, database }: Shop): Promise<Row[]> {
  const [short, long] = [
    await makeInvoice({ stripe, database, now: Date.now }, order(1), 'bench-short'),
    await makeInvoice({ stripe, database, now: Date.now }, order(60), 'bench-long'),
  ]
  const lines = await stripe.invoices.listLineItems(long.id, { limit: 100 })
  const pdfs = createInvoicePdfs(stripe, database, () => defaultShop)
  const cached = async () => (await pdfs.prepare(long))()
  const started = performance.now()
  await cached()
  const first = performance.now() - started
  const floor = 'PDF, 1 line'
  return [
    {
      name: floor,
      floor,
      times: await time(() => renderInvoicePdf(toInvoiceDocument(short, short.lines.data, issuer))),
    },
    {
      name: 'PDF, 60 lines, cold',
      floor,
      times: await time(() => renderInvoicePdf(toInvoiceDocument(long, lines.data, issuer))),
    },
    { name: 'PDF, 60 lines, cached', floor, times: await time(cached) },
    { name: 'PDF, first of a process', floor, times: [first] },
  ]
}

async function time(work: () => Promise<unknown>): Promise<number[]> {
  for (let run = 0; run < warmUps; run += 1) await work()
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)
}

function print(unit: string, rows: readonly Row[]): void {
  const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? 0
  const floors = new Map(rows.map(({ name, times }) => [name, median(times)]))
  console.log(`\n${unit.padEnd(26)}${'p50'.padStart(9)}${'p95'.padStart(9)}${'/floor'.padStart(9)}`)
  for (const { name, times, floor } of rows) {
    const p95 = times[Math.floor(times.length * 0.95)] ?? 0
    const ratio = median(times) / (floors.get(floor) ?? 1)
    const figures = [median(times).toFixed(2), p95.toFixed(2), `${ratio.toFixed(1)} x`]
    console.log(`${name.padEnd(26)}${figures.map((figure) => figure.padStart(9)).join('')}`)
  }
}
