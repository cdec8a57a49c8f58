import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { browserFlags, findBrowser } from '#testing/browser.ts'
import { quantile, withShops } from './dashboard-shops.ts'

// The free times of a date as a visitor waits for them: from the click on the date until the buttons of its
// times stand there, one call for each time, over loopback.
//   npm run bench -- booking-slots      (BENCH_CLICKS: clicks, 60 by default)

const clicks = Number(process.env['BENCH_CLICKS'] ?? 60)
const warmUps = 5
const targetMs = 150

type Answer = { readonly ms: number; readonly calls: number; readonly free: number }

/** Runs in the page: clicks a date and waits for its times, and for the page's next task. */
async function pick(label: string): Promise<Answer> {
  const day = [...document.querySelectorAll<HTMLElement>('.cal button')].find((button) =>
    button.getAttribute('aria-label')?.startsWith(label),
  )
  performance.clearResourceTimings()
  const start = performance.now()
  day?.click()
  const areThere = () =>
    document.querySelector('.times[aria-busy=false] .slots button') !== null &&
    document.querySelector('.times .day')?.textContent === label
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No times of ${label}`)), 15_000)
    const look = () => {
      if (!areThere()) return
      observer.disconnect()
      clearTimeout(late)
      resolve()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    })
    look()
  })
  const ms = performance.now() - start
  const calls = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('/rpc/is_time_slot_available')).length
  return { ms, calls, free: document.querySelectorAll('.times .slots button').length }
}

await withShops([100], async ([shop]) => {
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    args: browserFlags,
    ...(executablePath ? { executablePath } : {}),
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${shop?.url}/book-appointment`)
  await page
    .getByRole('button', { name: /^Select / })
    .first()
    .click()
  const days = page.getByRole('grid').getByRole('button', { disabled: false })
  await days.first().waitFor()
  const labels = await days.evaluateAll((all) =>
    all.map((day) => day.getAttribute('aria-label')?.replace(/(, \d{4}).*/, '$1') ?? ''),
  )
  // Today may be over, and tomorrow is the first day that has times for certain.
  const open = labels.slice(1)
  if (open.length < 2) throw new Error(`Too few days left in this month: ${labels.join('; ')}`)
  const answers: Answer[] = []
  for (let click = -warmUps; click < clicks; click += 1) {
    const label = open.at((click + warmUps) % open.length) ?? ''
    const answer = await page.evaluate(pick, label)
    if (click >= 0) answers.push(answer)
  }
  await browser.close()
  const of = (field: keyof Answer) => answers.map((answer) => answer[field])
  const p95 = quantile(of('ms'), 0.95)
  console.log(`${clicks} clicks on ${open.length} dates, ${range(of('calls'))} calls each`)
  console.log(
    `from click to buttons: median ${quantile(of('ms'), 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms` +
      ` (target ${targetMs}: ${p95 <= targetMs ? 'reached' : 'missed'})`,
  )
  console.log(`load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
})

function range(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)}`
}
