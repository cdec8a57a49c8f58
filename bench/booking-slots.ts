import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { launchBrowser } from './browser.ts'
import { quantile, withSites } from './dashboard-fixtures.ts'
import { amountOf } from './smoke.ts'

// Measures how long a visitor waits for the free times of a date: from the click on the date until the buttons of the
// times are shown. The page sends one request for each possible start time, over the loopback interface.
//   npm run bench -- booking-slots      (BENCH_CLICKS: clicks, 60 by default)

const clicks = amountOf(60, 1, 'BENCH_CLICKS')
const warmUps = amountOf(5, 0)
const targetMs = 150

type Timing = { readonly ms: number; readonly calls: number; readonly free: number }

/**
 * Runs in the page: clicks a date and waits for the buttons of its times, or for the sentence that the date has no free
 * time.
 */
async function pick(label: string): Promise<Timing> {
  const day = [...document.querySelectorAll<HTMLElement>('[role=grid] button')].find((button) =>
    button.getAttribute('aria-label')?.startsWith(label),
  )
  performance.clearResourceTimings()
  const start = performance.now()
  day?.click()
  const areThere = () =>
    document.querySelector('.available-times[aria-busy=false] :is(button.time-slot, .no-times)') !==
      null && document.querySelector('.available-times-date')?.textContent === label
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No times of ${label}`)), 15_000)
    const check = () => {
      if (!areThere()) return
      observer.disconnect()
      clearTimeout(late)
      resolve()
    }
    const observer = new MutationObserver(check)
    observer.observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    })
    check()
  })
  const ms = performance.now() - start
  const calls = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('/rpc/is_time_slot_available')).length
  return { ms, calls, free: document.querySelectorAll('button.time-slot').length }
}

await withSites([100], async ([shop]) => {
  const browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${shop?.url}/book-appointment`)
  await page
    .getByRole('button', { name: /^Select / })
    .first()
    .click()
  let open = await listOpenDays(page)
  // At the end of a month, the current month has too few bookable days, so the bench shows the next month.
  if (open.length < 5) {
    await page.getByRole('button', { name: 'Next month' }).click()
    open = await listOpenDays(page)
  }
  const timings: Timing[] = []
  for (let click = -warmUps; click < clicks; click += 1) {
    // Clicks the dates from the latest to today. Today comes last, because in the evening today has no free time.
    const label = open.at(-1 - ((click + warmUps) % open.length)) ?? ''
    const timing = await page.evaluate(pick, label)
    if (click >= 0) timings.push(timing)
  }
  await browser.close()
  if (timings.every(({ free }) => free === 0)) throw new Error('No date had a free time.')
  const of = (field: keyof Timing) => timings.map((timing) => timing[field])
  const p95 = quantile(of('ms'), 0.95)
  console.log(`${clicks} clicks on ${open.length} dates, ${range(of('calls'))} calls each`)
  console.log(
    `from click to buttons: median ${quantile(of('ms'), 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms` +
      ` (target ${targetMs}: ${p95 <= targetMs ? 'reached' : 'missed'})`,
  )
  console.log(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
})

/** Lists the labels of the selectable dates in the month that the page shows. */
async function listOpenDays(page: Page): Promise<string[]> {
  const days = page.getByRole('grid').getByRole('button', { disabled: false })
  await days.first().waitFor()
  return days.evaluateAll((all) =>
    all.map(
      (day) => day.getAttribute('aria-label')?.replace(/(day, \w+ \d+)(, \d{4})?.*/, '$1$2') ?? '',
    ),
  )
}

function range(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)}`
}
