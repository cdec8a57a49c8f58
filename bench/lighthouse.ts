import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from 'chrome-launcher'
import lighthouse, { type Result } from 'lighthouse'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { browserFlags } from '#tests/support/browser.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { startServer } from '#tests/support/app/server-process.ts'
import { browserPath } from './browser.ts'
import { startPostgres } from './prepared.ts'
import { isSmoke } from './smoke.ts'

/*
 * Runs Lighthouse with simulated mobile throttling. Prints the figures of one run of every public page, or the medians
 * of several runs of the named pages: `npx node bench/lighthouse.ts [runs] [page …]`. '/visit/…' is the visit page of
 * an appointment.
 */

const anyVisitPage = '/visit/…'

const everyPage = [
  '/',
  '/book-appointment',
  '/request-quote',
  '/pay-invoice',
  '/payment-success',
  '/privacy',
  anyVisitPage,
]
const [runsWanted, ...pagesWanted] = isSmoke ? ['1', '/'] : process.argv.slice(2)
const runs = Number(runsWanted ?? 1)
const pages = pagesWanted.length > 0 ? pagesWanted : everyPage

const server = await startPostgres()
const shop = await startServer({ DATABASE_URL: server.ownerUrl, RATE_LIMITS: 'off' })
const visitPath = await addVisitPage()
const chrome = await launch({
  chromeFlags: [...browserFlags, '--headless=new'],
  userDataDir: mkdtempSync(join(server.dataDirectory, 'profile-')),
  ...(browserPath ? { chromePath: browserPath } : {}),
})

try {
  const rows: Record<string, Record<string, string | number>> = {}
  for (const page of pages) rows[page] = await measure(page)
  console.table(rows)
} finally {
  chrome.kill()
  await shop.end()
  await server.stop()
}

/** Books an appointment for next week and returns the path of its visit page. */
async function addVisitPage(): Promise<string> {
  const database = openPool(server.ownerUrl, 1)
  const { rows } = await database.query<{ id: string }>(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_phone, customer_email, vehicle_year, vehicle_make, vehicle_model, notes)
     select id, $1, '13:00', duration_minutes, 'Maria Delgado', '(650) 555-0167', 'maria@customer.example',
       '2019', 'Subaru', 'Outback', 'Grinding from the front left when cold.'
     from services where name = 'Oil Change' returning id`,
    [addDays(shopToday(new Date()), 7)],
  )
  const { rows: tokens } = await database.query<{ token: string }>(
    'select public.visit_page_token($1) as token',
    [rows[0]?.id],
  )
  await database.end()
  return `/visit/${tokens[0]?.token}`
}

async function measure(page: string): Promise<Record<string, string | number>> {
  const results: Result[] = []
  for (let attempts = 0; results.length < runs && attempts < 3 * runs; attempts += 1) {
    const report = await lighthouse(`${shop.url}${page === anyVisitPage ? visitPath : page}`, {
      port: chrome.port,
      logLevel: 'error',
      // Without simulated throttling the measurement takes less time, but its result is better than on a phone.
      ...(isSmoke && { throttlingMethod: 'provided' as const }),
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    })
    // In some runs, Lighthouse measures no first paint of the page. Such a run is invalid and is repeated.
    if (report && !report.lhr.runtimeError) results.push(report.lhr)
  }
  const score = (id: string) =>
    Math.round(median(results.map((result) => (result.categories[id]?.score ?? 0) * 100)))
  const audit = (id: string) =>
    median(results.map((result) => result.audits[id]?.numericValue ?? 0))
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    SEO: score('seo'),
    'LCP s': Number((audit('largest-contentful-paint') / 1000).toFixed(2)),
    CLS: Number(audit('cumulative-layout-shift').toFixed(3)),
    'TBT ms': Math.round(audit('total-blocking-time')),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
