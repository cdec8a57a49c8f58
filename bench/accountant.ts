import { loadavg } from 'node:os'
import { accountantFileEndpoint, type AccountantFileKind } from '#contracts/accountant-files.ts'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import { confirmPasswordEndpoint } from '#contracts/step-up.ts'
import { addDays, addMonths } from '#domain/calendar/calendar-date.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { freePort, startServer } from '#tests/support/app/server-process.ts'
import { fillWithCustomers, nameOfFilledDatabase } from './customer-fixtures.ts'
import {
  admin,
  createDatabase,
  hasDatabase,
  shopSettings,
  startSharedPostgres,
} from './prepared.ts'
import { amountOf } from './smoke.ts'

// Measures the export of the accountant's files in a shop with 100,000 appointments: the duration, the memory of the
// server process, and the longest delay of the process's event loop.
//   npm run bench -- accountant

const bookings = amountOf(100_000, 100)
const server = await startSharedPostgres('customers')
const filled = nameOfFilledDatabase(bookings)
const isFilled = await hasDatabase(server, filled)
const databaseUrl = await createDatabase(server, 'accountant', isFilled ? filled : 'postgres')
const measurePort = await freePort()
const shop = await startServer(
  {
    ...shopSettings,
    DATABASE_URL: databaseUrl,
    MEASURE_PORT: String(measurePort),
  },
  'tests/long/support/measured-server.ts',
)
try {
  if (!isFilled) {
    const owner = openPool(databaseUrl, 1)
    await fillWithCustomers(owner, bookings)
    await owner.end()
  }
  const cookie = await logIn()
  const today = shopToday(new Date())
  const tenYears = { from: addDays(addMonths(today, -120), 1), to: today }
  const before = { from: addMonths(today, -180), to: addDays(tenYears.from, -1) }
  const aDay = { from: addDays(today, -1), to: addDays(today, -1) }
  // Exports the records of ten years three times, to show whether the memory of the server process grows.
  for (const range of [aDay, tenYears, before, tenYears, tenYears])
    await measure(cookie, 'appointments', range)
  for (const range of [aDay, tenYears]) await measure(cookie, 'customers', range)
} finally {
  await shop.end()
  await server.stop()
}

async function measure(cookie: string, kind: AccountantFileKind, range: DateRange): Promise<void> {
  const { megabytes: atFirst } = await sampleProcess()
  let peak = atFirst
  let worst = 0
  const takeSample = async () => {
    const { megabytes, delayMaxMs } = await sampleProcess()
    peak = Math.max(peak, megabytes)
    worst = Math.max(worst, delayMaxMs)
  }
  const timer = setInterval(() => void takeSample(), 100)
  const started = performance.now()
  const text = await post(accountantFileEndpoint.path, { kind, ...range }, cookie)
    .then((response) => response.text())
    .finally(() => clearInterval(timer))
  const seconds = (performance.now() - started) / 1000
  await takeSample()
  const rows = Math.max(0, text.split('\r\n').length - 2)
  console.log(
    `  ${kind}, ${range.from} to ${range.to}: ${rows} rows, ${(text.length / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s; ` +
      `memory ${atFirst.toFixed(0)} to ${peak.toFixed(0)} MB; event loop blocked ${worst.toFixed(0)} ms at most; load ${loadavg()[0]?.toFixed(1)}`,
  )
}

type Sample = { readonly megabytes: number; readonly delayMaxMs: number }

async function sampleProcess(): Promise<Sample> {
  return (await (await fetch(`http://127.0.0.1:${measurePort}`)).json()) as Sample
}

/**
 * Signs in as staff and confirms the password again, because the accountant's files require step-up authentication.
 * Returns the cookie of the sign-in session.
 */
async function logIn(): Promise<string> {
  const { headers } = await post(adminSessionEndpoints.logIn.path, admin)
  const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
  await post(confirmPasswordEndpoint.path, { password: admin.password }, cookie)
  return cookie
}

async function post(path: string, body: object, cookie = ''): Promise<Response> {
  const response = await fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}
