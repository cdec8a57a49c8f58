import type { Page } from '@playwright/test'
import { loadavg } from 'node:os'
import { launchBrowser, signIn } from './browser.ts'
import { type BenchSite, quantile, shown, withSites } from './dashboard-fixtures.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Measures the dashboard in a real browser, with 100 appointments and with 100,000: from the navigation or the click
// until the requested content is shown and the page accepts the next click. The shops alternate, so that other load on
// the machine slows both alike; the result is the ratio of the median durations.
//   npm run bench -- dashboard-browser      (BENCH_ROUNDS: rounds, 10 by default)

const rounds = amountOf(10, 1, 'BENCH_ROUNDS')
const warmUps = amountOf(2, 0)

/** One measured action of an employee, such as a search, on the page that the previous action opened. */
type Step = {
  readonly name: string
  readonly run: (page: Page, shop: BenchSite) => Promise<number>
}

/** The dashboard starts a search this number of milliseconds after the last typed character. */
const typingPauseMs = 250

const steps: readonly Step[] = [
  {
    name: 'open the week',
    run: async (page, { url }) => {
      await page.goto(`${url}/admin-dashboard/appointments?view=calendar`)
      return page.evaluate(measure, {
        count: shown.thisWeek,
        of: '.week .booking-card .booking-buttons .compact-button:first-child',
      })
    },
  },
  {
    name: 'next week',
    run: (page) =>
      page.evaluate(measure, {
        click: '[aria-label="Next week"]',
        count: shown.nextWeek,
        of: '.week .booking-card .booking-buttons .compact-button:first-child',
      }),
  },
  {
    name: 'the list',
    run: (page) =>
      page.evaluate(measure, {
        click: '[aria-label="View"] button:last-child',
        count: 50,
        of: '.record .record-actions .compact-button:first-child',
      }),
  },
  {
    name: 'the next page of completed appointments',
    run: (page) =>
      page.evaluate(measure, {
        click: '.booking-list:last-of-type .show-more button',
        count: 75,
        of: '.record .record-actions .compact-button:first-child',
      }),
  },
  {
    name: 'search',
    run: async (page) =>
      (await page.evaluate(measure, {
        type: { into: '.booking-search', text: shown.search },
        count: shown.searched,
        of: '.record .record-actions .compact-button:first-child',
      })) - typingPauseMs,
  },
  {
    name: 'the tasks',
    run: (page) =>
      page.evaluate(measure, {
        click: '#tab-tasks',
        count: 20,
        of: '.task-card .button-group .compact-button:first-child',
      }),
  },
]

type Measured = {
  click?: string
  type?: { into: string; text: string }
  /**
   * The measured action is finished when the page shows this number of elements that match the selector `of`, and all
   * these elements are enabled.
   */
  count: number
  of: string
}

/**
 * Runs in the page: clicks or types, waits for the elements and for the next task of the page's event loop, and returns
 * the milliseconds since the click. Without a click, it returns the milliseconds since the navigation.
 */
async function measure({ click, type, count, of }: Measured): Promise<number> {
  const start = click || type ? performance.now() : 0
  const isThere = () => {
    const found = [...document.querySelectorAll<HTMLButtonElement>(of)]
    return found.length === count && found.every((button) => !button.disabled)
  }
  if (click) document.querySelector<HTMLElement>(click)?.click()
  const field = type && document.querySelector<HTMLInputElement>(type.into)
  if (field) {
    // Sets the value with the setter of the element's prototype, because React replaces the element's own setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
      field,
      type.text,
    )
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${document.querySelectorAll(of).length} of ${count} ${of}`)),
      30_000,
    )
    const check = () => {
      if (!isThere()) return
      observer.disconnect()
      clearTimeout(late)
      resolve()
    }
    const observer = new MutationObserver(check)
    observer.observe(document, { childList: true, subtree: true, attributes: true })
    check()
  })
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve)
    port1.start()
    port2.postMessage(0)
  })
  return performance.now() - start
}

await withSites(isSmoke ? [100] : [100, 100_000], async (shops) => {
  const browser = await launchBrowser()
  const pages: Page[] = []
  for (const shop of shops) pages.push(await signIn(browser, shop.url))
  const times = new Map(steps.map(({ name }) => [name, shops.map((): number[] => [])]))
  for (let round = -warmUps; round < rounds; round += 1) {
    // The first measurement of a round can speed up or slow down the second one, so the order of the shops alternates.
    const turn = [...shops.entries()]
    if (round % 2) turn.reverse()
    for (const [index, shop] of turn) {
      const page = pages[index]
      if (!page) continue
      for (const { name, run } of steps) {
        const ms = await run(page, shop)
        if (round >= 0) times.get(name)?.[index]?.push(ms)
      }
    }
  }
  await browser.close()
  const heads = shops.map(({ bookings }) => `${bookings} bookings`.padEnd(20))
  console.log(`${'median ms, p95 ms in the browser'.padEnd(36)}${heads.join('')}ratio`)
  for (const [name, [few = [], many = []]] of times) {
    const cells = [few, many].map((all) =>
      `${quantile(all, 0.5).toFixed(0)}, ${quantile(all, 0.95).toFixed(0)}`.padEnd(20),
    )
    const ratio = quantile(many, 0.5) / quantile(few, 0.5)
    console.log(`${name.padEnd(36)}${cells.join('')}${ratio.toFixed(2)}`)
  }
  console.log(`${rounds} rounds; load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
})
