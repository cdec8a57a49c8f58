import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { admin } from '#tests/support/database/database-fixtures.ts'
import { approveEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { longTestAdmin, signIn, type StaffClient } from '#tests/long/support/staff-client.ts'
import { sendRequest } from '#tests/long/support/visitor-client.ts'
import { reportFigure, testSize } from '#tests/long/test-size.ts'

// These tests kill the process before each statement, and after each commit and each call to Stripe. They cover taking
// a payment, refunding, voiding, cancelling, taking a deposit, and the job that reports each of these actions to
// Stripe. After the crash, staff repeat the command, or the job runs again. payment-crashes.test.ts covers online
// payments, estimate-invoice-crashes.test.ts covers invoices of estimates with the deposits that pay them, and
// database-crashes.test.ts covers a lost connection to the database.

/**
 * The maximum number of steps at which the test kills the process. This maximum lets the long test run cover every
 * step.
 */
const crashCount = testSize('CRASHES', { short: 0, long: 60 })

/** The record that a tested action changes: an invoice, or an estimate with a deposit. */
type Subject = { readonly id: string; readonly paymentId?: string }
type Command = { readonly commandId: string; readonly input: object }

type Work = {
  readonly name: string
  readonly command: string
  /** The name of a step of the action. In `npm test`, the test kills the process only at this step. */
  readonly step: string
  prepare(shop: ServerProcess): Promise<Subject>
  input(subject: Subject): object
  /** The lines of the ledger after the action, with kind and amount. */
  readonly lines: readonly (readonly [kind: string, cents: number])[]
  /**
   * The final state of the invoice at Stripe. Undefined when the action concerns a deposit, because the shop reports a
   * deposit to Stripe only after an invoice exists.
   */
  readonly atStripe?: {
    readonly status: string
    readonly remaining: number
    readonly credited: number
  }
}

const total = 40_700
const reason = 'As agreed.'
const beforeResult = 'before update internal.commands set result = $2 where id = $1'
const payment = ['payment', total] as const
const refund = ['refund', -total] as const

const works: Work[] = [
  {
    name: 'taking a payment while a payment page is open',
    command: 'take-payment',
    step: 'after POST /v1/checkout/sessions/cs_id/expire',
    async prepare(shop) {
      const subject = await makeInvoice(shop)
      const opened = await send(shop, '/api/create-checkout', { invoiceId: subject.id })
      expect(opened.status).toBe(200)
      return subject
    },
    input: ({ id }) => cashOf({ invoiceId: id, amountCents: total }),
    lines: [payment],
    atStripe: { status: 'paid', remaining: 0, credited: 0 },
  },
  {
    name: 'a refund',
    command: 'refund-payment',
    step: beforeResult,
    prepare: (shop) => makePaidInvoice(shop),
    input: ({ paymentId }) => ({
      paymentId,
      amountCents: total,
      partKeys: null,
      method: null,
      reference: null,
      reason,
      notifies: true,
    }),
    lines: [payment, refund],
    atStripe: { status: 'paid', remaining: 0, credited: total },
  },
  {
    name: 'voiding an invoice',
    command: 'void-invoice',
    step: beforeResult,
    prepare: (shop) => makeInvoice(shop),
    input: ({ id }) => ({ invoiceId: id, reason, notifies: true }),
    lines: [],
    atStripe: { status: 'void', remaining: total, credited: 0 },
  },
  {
    name: 'a cancellation',
    command: 'cancel-invoice',
    step: beforeResult,
    prepare: (shop) => makePaidInvoice(shop),
    input: ({ id }) => ({ invoiceId: id, reason, notifies: true }),
    lines: [payment, refund],
    atStripe: { status: 'paid', remaining: 0, credited: total },
  },
  {
    name: 'taking a deposit',
    command: 'take-deposit',
    step: beforeResult,
    prepare: () => approveWithDeposit(),
    input: ({ id }) => cashOf({ estimateId: id, amountCents: 15_000 }),
    lines: [['payment', 15_000]],
  },
]

let directory: string
let database: TestDatabase
let settings: Record<string, string>
let staff: StaffClient
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'torque-ledger-'))
  database = await createTestDatabase()
  settings = {
    ...longTestAdmin,
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: directory,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    PORT: String(await freePort()),
    STEPS: join(directory, 'steps'),
  }
  staff = await signIn(await start())
})
afterAll(async () => {
  await database?.drop()
  rmSync(directory, { recursive: true, force: true })
})

/** The shop's process in the current test. The teardown ends the process when a test fails. */
let running: ServerProcess | undefined
afterEach(() => running?.end('SIGKILL'))

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  await running?.end('SIGKILL')
  running = await startServer(
    { ...settings, ...environment },
    'tests/long/crashes/crashing-server.ts',
  )
  return running
}

const send = (shop: ServerProcess, path: string, body: object, headers = {}) =>
  sendRequest(shop, 'POST', path, body, { cookie: staff.cookie, ...headers })
const run = (shop: ServerProcess, work: Work, command: Command, headers = {}) =>
  send(shop, `/api/commands/${work.command}`, command, headers)

const cashOf = (input: object) => ({
  ...input,
  method: 'cash',
  givenCents: null,
  reference: null,
  note: null,
  sendsReceipt: true,
})

async function makeInvoice(shop: ServerProcess): Promise<Subject> {
  const email = `${randomUUID()}@example.com`
  const made = await send(shop, '/api/invoice/create', {
    customer: { name: 'Dana Whitfield', email, phone: '' },
    lineItems: [{ description: 'Front brakes', amount: '407.00', quantity: 1 }],
    memo: '',
    dueDays: 7,
    sendEmail: false,
    currency: 'usd',
  })
  const { invoice } = (await made.json()) as { invoice: { id: string } }
  return { id: invoice.id }
}

/** Creates an invoice that a customer paid in cash and that the shop has reported to Stripe. */
async function makePaidInvoice(shop: ServerProcess): Promise<Subject> {
  const { id } = await makeInvoice(shop)
  await send(shop, '/api/admin/confirm-password', { password: longTestAdmin.ADMIN_PASSWORD })
  const input = cashOf({ invoiceId: id, amountCents: total })
  const taken = await send(shop, '/api/commands/take-payment', { commandId: randomUUID(), input })
  const { result } = (await taken.json()) as { result: { paymentId: string } }
  return { id, paymentId: result.paymentId }
}

async function approveWithDeposit(): Promise<Subject> {
  const customer = { name: 'Maria Delgado', email: `${randomUUID()}@example.com`, phone: '' }
  const document = estimateDocument([estimateJob()], { customer })
  const id = await approveEstimate(database.database, document)
  await database.database.transaction(admin, (query) =>
    query.unchecked('select public.ask_deposit($1, 15000, null)', [id]),
  )
  return { id }
}

const rowsOf = async <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  (await database.owner.query<Row>(sql, values)).rows

/** Reads the ledger lines of an invoice or an estimate, and counts its corrections, emails and reports to Stripe. */
async function readState({ id }: Subject) {
  const lines = await rowsOf<{ kind: string; cents: number }>(
    `select kind, amount_cents as cents from public.payments
     where invoice_id = $1 or estimate_id::text = $1 order by recorded_at, kind desc`,
    [id],
  )
  const [counts] = await rowsOf<{ notes: number; emails: number; reports: number; events: number }>(
    `select
       (select count(*)::integer from public.credit_notes where invoice_id = $1) as notes,
       (select count(*)::integer from public.emails where invoice_id = $1 or estimate_id::text = $1) as emails,
       (select count(*)::integer from internal.stripe_reports where invoice_id = $1) as reports,
       (select count(*)::integer from public.invoice_events where invoice_id = $1) as events`,
    [id],
  )
  return { lines: lines.map(({ kind, cents }) => [kind, cents]), ...counts }
}

async function readStripe({ id }: Subject) {
  const [invoice] = await rowsOf(
    `select data ->> 'status' as status, (data ->> 'amount_remaining')::integer as remaining, (
       select coalesce(sum((note.data ->> 'amount')::integer), 0)::integer from stripe_sandbox.objects note
       where note.object = 'credit_note' and note.data ->> 'invoice' = $1) as credited
     from stripe_sandbox.objects where object = 'invoice' and id = $1`,
    [id],
  )
  return invoice
}

/** Waits until the shop has reported every change of the invoice or estimate to Stripe. */
const waitForReports = ({ id }: Subject) =>
  vi.waitFor(
    async () =>
      expect(
        await rowsOf(
          `select state, problem from internal.stripe_reports where invoice_id = $1 and state <> 'reported'`,
          [id],
        ),
      ).toEqual([]),
    { timeout: 30_000, interval: 100 },
  )

/** Returns the names of the steps that the first observed request or job of a process reached. */
const readSteps = () =>
  readFileSync(settings['STEPS'] ?? '', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('1 '))
    .map((line) => line.slice(2))

async function waitForCrash(doomed: ServerProcess): Promise<void> {
  const timeout = new AbortController()
  const survived = delay(15_000, 'alive', { signal: timeout.signal }).catch(() => 'alive')
  expect(await Promise.race([doomed.ended.then(() => 'dead'), survived])).toBe('dead')
  timeout.abort()
}

const reporting = { HURRY: 'report-to-stripe' }
const never = { 'x-die-at': 'never' }
const newCommand = (work: Work, subject: Subject): Command => ({
  commandId: randomUUID(),
  input: work.input(subject),
})

/** Counts the steps of an action when no crash interrupts it. */
async function countSteps(work: Work): Promise<number> {
  const shop = await start()
  const subject = await work.prepare(shop)
  writeFileSync(settings['STEPS'] ?? '', '')
  expect((await run(shop, work, newCommand(work, subject), never)).status).toBe(200)
  return readSteps().length
}

/**
 * Kills the process at a step of a command. The shop then has recorded all effects of the command or none, and a
 * repetition completes the command once.
 */
async function crashCommand(work: Work, crashAt: string): Promise<string> {
  const doomed = await start()
  const subject = await work.prepare(doomed)
  const before = await readState(subject)
  const command = newCommand(work, subject)
  writeFileSync(settings['STEPS'] ?? '', '')
  await run(doomed, work, command, { 'x-die-at': crashAt }).catch(() => undefined)
  await waitForCrash(doomed)
  const step = readSteps().at(-1) ?? ''
  const killed = await readState(subject)

  const shop = await start(reporting)
  expect([step, (await run(shop, work, command)).status]).toEqual([step, 200])
  const healed = await readState(subject)
  expect([before, healed]).toContainEqual(killed)
  await expectEnd(work, subject, step)
  expect(await readState(subject)).toEqual(healed)
  return step
}

/** Performs an action, and kills the server process before the job reports the action to Stripe. */
async function leaveUnreported(work: Work): Promise<Subject> {
  const shop = await start()
  const subject = await work.prepare(shop)
  expect((await run(shop, work, newCommand(work, subject))).status).toBe(200)
  await shop.end('SIGKILL')
  writeFileSync(settings['STEPS'] ?? '', '')
  return subject
}

/** Counts the steps in the first run of the job that reports an action to Stripe. */
async function countReportSteps(work: Work): Promise<number> {
  const subject = await leaveUnreported(work)
  await start(reporting)
  await expectEnd(work, subject, 'none')
  return readSteps().length
}

/**
 * Kills the process at a step of the job that reports the action to Stripe. The job of the next process reports the
 * action once.
 */
async function crashReport(work: Work, crashAt: string): Promise<void> {
  const subject = await leaveUnreported(work)
  // The process may crash before its health check succeeds; the start of the process then fails.
  const doomed = await start({ ...reporting, DIE_AT: crashAt }).catch(() => undefined)
  if (doomed) await waitForCrash(doomed)
  const step = readSteps().at(-1) ?? ''
  await start(reporting)
  await expectEnd(work, subject, step)
}

async function expectEnd(work: Work, subject: Subject, step: string): Promise<void> {
  await waitForReports(subject)
  const { lines } = await readState(subject)
  expect({ step, lines, atStripe: await readStripe(subject) }).toEqual({
    step,
    lines: work.lines,
    atStripe: work.atStripe,
  })
}

describe('a shop that is killed during a payment command at the counter', () => {
  it.each(works)(
    'stores either all effects of a command or none, and stores them once when staff repeat the command: $name',
    { timeout: 120_000 },
    async (work) => {
      expect(await crashCommand(work, work.step)).toBe(work.step)
    },
  )

  it.each(crashCount > 0 ? works : [])(
    'stores all effects or none, and stores them once after a repetition, at whatever step the process is killed: $name',
    { timeout: 60_000 + crashCount * 40_000 },
    async (work) => {
      const steps = await countSteps(work)
      expect(steps).toBeGreaterThan(5)
      const fatal = Math.min(steps, crashCount)
      for (let step = 1; step <= fatal; step += 1) await crashCommand(work, String(step))
      reportFigure(`${work.name}: killed at ${fatal} of ${steps} steps, each time recorded once`)
    },
  )

  it.each(crashCount > 0 ? works.filter(({ atStripe }) => atStripe !== undefined) : [])(
    'reports the same to Stripe after a crash at any step of the job: $name',
    { timeout: 60_000 + crashCount * 40_000 },
    async (work) => {
      const steps = await countReportSteps(work)
      expect(steps).toBeGreaterThan(5)
      const fatal = Math.min(steps, crashCount)
      for (let step = 1; step <= fatal; step += 1) await crashReport(work, String(step))
      reportFigure(
        `reporting ${work.name}: killed at ${fatal} of ${steps} steps, each time reported once`,
      )
    },
  )
})
