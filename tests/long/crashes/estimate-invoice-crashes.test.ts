import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { testSize, reportFigure } from '#tests/long/test-size.ts'
import { longTestAdmin, signIn, type StaffClient } from '#tests/long/support/staff-client.ts'
import { sendRequest } from '#tests/long/support/visitor-client.ts'

/**
 * The maximum number of steps at which the test kills the process. This maximum lets the long test run cover every
 * step.
 */
const crashCount = testSize('CRASHES', { short: 0, long: 80 })

let directory: string
let database: TestDatabase
let settings: Record<string, string>
let staff: StaffClient
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'torque-billing-'))
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
  const shop = await start()
  staff = await signIn(shop)
  await shop.end()
})
afterAll(async () => {
  await database?.drop()
  rmSync(directory, { recursive: true, force: true })
})

/** The shop's process in the current test. The teardown ends the process when a test fails. */
let running: ServerProcess | undefined
afterEach(() => running?.end('SIGKILL'))

const crashingServer = 'tests/long/crashes/crashing-server.ts'
const start = async () => (running = await startServer(settings))
const startCrashing = async (environment: Record<string, string> = {}) =>
  (running = await startServer({ ...settings, ...environment }, crashingServer))

let round = 0
async function approve(): Promise<{ id: string; email: string }> {
  round += 1
  const email = `driver${round}@example.com`
  const customer = { name: 'Maria Delgado', email, phone: '' }
  const document = estimateDocument([estimateJob(), estimateJob()], { customer })
  return { id: await approveEstimate(database.database, document), email }
}

async function bill(shop: ServerProcess, id: string, headers: Record<string, string> = {}) {
  const { version: seenVersion } = await readEstimate(database.database, id)
  const request = { estimateId: id, seenVersion }
  return sendRequest(shop, 'POST', '/api/admin/estimate/invoice', request, {
    cookie: staff.cookie,
    ...headers,
  })
}

/** Reads the drafts and invoices of a customer in the Stripe sandbox. */
const invoicesOf = async (email: string) =>
  (
    await database.owner.query<{ status: string; total: number; id: string }>(
      `select id, data ->> 'status' as status, (data ->> 'total')::int as total from stripe_sandbox.objects
       where object = 'invoice' and data ->> 'customer_email' = $1`,
      [email],
    )
  ).rows
const claimsOf = async (id: string) =>
  (
    await database.owner.query<{ state: string; invoice_id: string; total_cents: string }>(
      'select state, invoice_id, total_cents from public.estimate_invoices where estimate_id = $1',
      [id],
    )
  ).rows

const readSteps = () =>
  readFileSync(settings['STEPS'] ?? '', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('1 '))
    .map((line) => line.slice(2))

async function countSteps(): Promise<string[]> {
  writeFileSync(settings['STEPS'] ?? '', '')
  const { id } = await approve()
  const shop = await startCrashing()
  expect((await bill(shop, id, { 'x-die-at': 'never' })).status).toBe(200)
  await shop.end()
  return readSteps()
}

type Recovery = 'a repetition' | 'the job'

/**
 * Kills the process at the given step of creating the invoice. Then the scheduled job or a repeated request completes
 * the invoice, and the test compares the records of the shop and of Stripe with the customer's authorizations.
 */
async function crashAndRecover(crashAt: string, recovery: Recovery): Promise<string> {
  writeFileSync(settings['STEPS'] ?? '', '')
  const { id, email } = await approve()
  const doomed = await startCrashing()
  await bill(doomed, id, { 'x-die-at': crashAt }).catch(() => undefined)
  const timeout = new AbortController()
  const survived = delay(15_000, 'alive', { signal: timeout.signal }).catch(() => 'alive')
  expect(await Promise.race([doomed.ended.then(() => 'dead'), survived])).toBe('dead')
  timeout.abort()
  const step = readSteps().at(-1) ?? ''

  const [claim] = await claimsOf(id)
  if (claim && recovery === 'the job') await recoverByJob(id)
  else {
    const shop = await start()
    expect([step, (await bill(shop, id)).status]).toEqual([step, 200])
    await shop.end()
  }
  const { authorizedCents, invoice } = await readEstimate(database.database, id)
  const [made, ...others] = await invoicesOf(email)
  expect({ step, made, others, claims: await claimsOf(id), read: invoice?.state }).toEqual({
    step,
    made: { id: made?.id, status: 'open', total: authorizedCents },
    others: [],
    claims: [{ state: 'made', invoice_id: made?.id, total_cents: String(authorizedCents) }],
    read: 'made',
  })
  return step
}

/**
 * Backdates the claim, which records that a process is creating the invoice. The job then treats that process as
 * crashed. For this change, the test disables the triggers of the ledger.
 */
async function recoverByJob(id: string): Promise<void> {
  await database.owner.query(
    `set session_replication_role = replica;
     update public.estimate_invoices set claimed_at = now() - interval '5 minutes' where estimate_id = '${id}';
     set session_replication_role = origin`,
  )
  const shop = await startCrashing({ HURRY: 'bill-claimed' })
  await vi.waitFor(
    async () => expect(await claimsOf(id)).toMatchObject([{ state: 'made' }]),
    15_000,
  )
  await shop.end()
}

describe('a shop that is killed while it creates the invoice of an estimate', () => {
  it.each<[string, Recovery]>([
    ['after POST /v1/invoices/in_id/finalize', 'the job'],
    ['before POST /v1/invoices/in_id/add_lines', 'a repetition'],
  ])(
    'creates exactly one invoice: process killed %s, invoice completed by %s',
    { timeout: 60_000 },
    async (crashAt, recovery) => {
      expect(await crashAndRecover(crashAt, recovery)).toBe(crashAt)
    },
  )

  it.runIf(crashCount > 0)(
    'creates exactly one invoice after a crash at each step, whether staff repeat the request or the background job completes it',
    { timeout: 60_000 + crashCount * 40_000 },
    async () => {
      const steps = await countSteps()
      const fatal = steps.slice(0, crashCount)
      for (const [index, step] of fatal.entries()) {
        for (const recovery of ['a repetition', 'the job'] as const) {
          expect(await crashAndRecover(String(index + 1), recovery)).toBe(step)
        }
      }
      reportFigure(
        `killed at ${fatal.length} of ${steps.length} steps, recovered twice each: one invoice over the approved amount`,
      )
    },
  )
})
