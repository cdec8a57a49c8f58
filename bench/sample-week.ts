import { rmSync } from 'node:fs'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import { outboxEndpoints } from '#contracts/emails/emails.ts'
import { invoiceEndpoints } from '#contracts/invoices/invoices.ts'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import { startServer } from '#tests/support/app/server-process.ts'
import { quantile } from './dashboard-fixtures.ts'
import { admin, createDataDirectory, shopSettings } from './prepared.ts'
import { amountOf } from './smoke.ts'

// Measures how long the owner waits while the server creates the sample week (invented appointments for trying out the
// dashboard), the dashboard reads it, and the server removes it.
//   npm run bench -- sample-week      (BENCH_RUNS: runs, 20 by default)

const runs = amountOf(20, 1, 'BENCH_RUNS')
const warmUps = amountOf(2, 0)

const steps = [
  { name: 'fill the sample week in', ...sampleWeekEndpoints.fill },
  { name: 'its emails', ...outboxEndpoints.list },
  { name: 'its invoices', ...invoiceEndpoints.list },
  { name: 'remove it', ...sampleWeekEndpoints.remove },
] as const

const dataDirectory = createDataDirectory()
const shop = await startServer({ ...shopSettings, DATA_DIR: dataDirectory })
try {
  const cookie = await logIn()
  const times = new Map<string, number[]>(steps.map(({ name }) => [name, []]))
  for (let run = -warmUps; run < runs; run += 1) {
    for (const { name, method, path } of steps) {
      const start = performance.now()
      const response = await fetch(shop.url + path, { method, headers: { cookie } })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      // The first runs, which are not measured, fill caches.
      if (run >= 0) times.get(name)?.push(performance.now() - start)
    }
  }
  console.log(`${'median, p95 in ms'.padEnd(30)}${runs} runs`)
  for (const [name, all] of times) {
    const cells = [0.5, 0.95].map((part) => quantile(all, part).toFixed(1))
    console.log(`${name.padEnd(30)}${cells.join(', ')}`)
  }
} finally {
  await shop.end()
  rmSync(dataDirectory, { recursive: true, force: true })
}

async function logIn(): Promise<string> {
  const response = await fetch(shop.url + adminSessionEndpoints.logIn.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return cookies.join('; ')
}
