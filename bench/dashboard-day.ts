import type { Page } from '@playwright/test'
import { loadavg } from 'node:os'
import { Client } from 'pg'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { launchBrowser, signIn } from './browser.ts'
import { type BenchSite, quantile, thisMonday, withSites } from './dashboard-fixtures.ts'
import { amountOf } from './smoke.ts'

// Measures the day view in a real browser, in a shop with 100,000 appointments: the time until a day with 40 vehicles
// in 6 bays appears and accepts a click, compared in alternating turns with a day without vehicles; and the time
// between frames while a vehicle is dragged.
//   npm run bench -- dashboard-day      (BENCH_ROUNDS: rounds, 10 by default)

const rounds = amountOf(10, 1, 'BENCH_ROUNDS')
const warmUps = amountOf(2, 0)
const framesWanted = amountOf(300, 10)
const bays = 6
const bookingCount = 40

/** Dates on which the fixtures have no appointments. */
const fullDay = addDays(thisMonday, 28)
const emptyDay = addDays(thisMonday, 29)

async function fillDay({ databaseUrl }: BenchSite): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into bays (name, position) select 'Bay ' || n, n from generate_series(2, ${bays}) n`,
  )
  await client.query(
    `insert into bookings (service_id, appointment_date, appointment_time, duration_minutes, bay_id, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model)
     select (select id from services order by name limit 1), '${fullDay}', time '11:00' + n / ${bays} * interval '1 hour',
       60, (select id from bays where position = n % ${bays} + 1), 'Dana Whitfield-' || n, 'dana@example.com',
       '555-0100', '2019', 'Subaru', 'Outback'
     from generate_series(0, ${bookingCount - 1}) n`,
  )
  await client.end()
}

/** Measures the milliseconds from the navigation until the day is shown and the event loop runs its next task. */
async function open(page: Page, { url }: BenchSite, day: string, awaited: string): Promise<number> {
  await page.goto(`${url}/admin-dashboard/day/${day}`)
  return page.evaluate(async (selector) => {
    while (!document.querySelector(selector)) await new Promise(requestAnimationFrame)
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve)
      port1.start()
      port2.postMessage(0)
    })
    return performance.now()
  }, awaited)
}

/**
 * Measures the milliseconds between frames while a vehicle is dragged across all bays, up and down, and the page
 * scrolls at its edges.
 */
async function drag(page: Page): Promise<number[]> {
  const booking = page.locator('.day-booking').first()
  await booking.scrollIntoViewIfNeeded()
  const box = await booking.boundingBox()
  if (!box) throw new Error('The day has no vehicle.')
  await page.mouse.move(box.x + 30, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 40, box.y + 20)
  await page.locator('.drag-card').waitFor()
  const frames = page.evaluate(
    (wanted) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = []
        let last = performance.now()
        const note = (now: number) => {
          times.push(now - last)
          last = now
          if (times.length < wanted) requestAnimationFrame(note)
          else resolve(times.slice(1))
        }
        requestAnimationFrame(note)
      }),
    framesWanted,
  )
  for (let step = 0; step < framesWanted; step += 1) {
    const x = 640 + 520 * Math.sin(step / 15)
    const y = 500 + 390 * Math.sin(step / 37)
    await page.mouse.move(x, y)
  }
  const times = await frames
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return times
}

await withSites([amountOf(100_000, 100)], async ([shop]) => {
  if (!shop) throw new Error('No shop was started.')
  await fillDay(shop)
  const browser = await launchBrowser()
  const page = await signIn(browser, shop.url)
  const days = [
    {
      name: `a day of ${bookingCount} vehicles in ${bays} bays`,
      day: fullDay,
      awaited: '.day-booking',
      ms: [] as number[],
    },
    {
      name: 'a day without vehicles',
      day: emptyDay,
      awaited: '.day-empty-line',
      ms: [] as number[],
    },
  ]
  for (let round = -warmUps; round < rounds; round += 1) {
    // The first measurement of a round can speed up or slow down the second one, so the order of the two days
    // alternates.
    for (const { day, awaited, ms } of round % 2 ? days.toReversed() : days) {
      const took = await open(page, shop, day, awaited)
      if (round >= 0) ms.push(took)
    }
  }
  console.log('until the day accepts a click: median ms, p95 ms')
  for (const { name, ms } of days) {
    console.log(
      `${name.padEnd(36)}${quantile(ms, 0.5).toFixed(0)}, ${quantile(ms, 0.95).toFixed(0)}`,
    )
  }
  const [full, empty] = days.map(({ ms }) => quantile(ms, 0.5))
  console.log(`ratio of the medians ${((full ?? 0) / (empty ?? 1)).toFixed(2)}`)

  await open(page, shop, fullDay, '.day-booking')
  const frames = await drag(page)
  // The limit for a smooth frame. At 60 frames a second a frame lasts 16.7 ms; 17 ms allows for a clock with a
  // resolution of 0.1 ms.
  const inTime = frames.filter((ms) => ms <= 17).length / frames.length
  console.log(
    `while dragging: ${frames.length} frames, ${(inTime * 100).toFixed(1)} % within 17 ms, ` +
      `p99 ${quantile(frames, 0.99).toFixed(1)} ms, worst ${Math.max(...frames).toFixed(1)} ms`,
  )
  await browser.close()
  console.log(`${rounds} rounds; load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
})
