import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { chromium } from '@playwright/test'
import { addDays } from '#domain/calendar-date.ts'
import { shopToday } from '#domain/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { browserFlags, findBrowser } from '#testing/browser.ts'
import { startShop } from '#testing/shop-process.ts'

// The whole site as an owner runs it, its PostgreSQL included and durable, against what Easy!Appointments
// 1.6 (PHP-FPM, MariaDB) did on such a machine: 32 connections, availability 260/s, booking 58/s, booking
// page 505 KiB in 34 requests. The ratios compare two runs on two days; take them as an order of size.
//   npm run bench -- site      (BENCH_SECONDS: length of one turn, 5 by default)

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const peer = { availability: 260, booking: 58, kibibytes: 505, requests: 34 }
const headers = { apikey: publicAnonKey, 'content-type': 'application/json' }

const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-bench-site-'))
const settings = { DATA_DIR: dataDirectory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
const first = performance.now()
await (await startShop(settings)).end()
const started = performance.now()
const shop = await startShop(settings)
try {
  warnWhenBusy()
  console.log(`first start with an empty database   ${since(first, started)} s, start and stop`)
  console.log(`warm start to the first booking      ${since(started)} s`)
  await measureIdle()
  await measureRequests()
  await measurePages()
} finally {
  await shop.end()
  rmSync(dataDirectory, { recursive: true, force: true })
}

function warnWhenBusy(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load < cores / 2) return
  console.log(
    `This machine is busy (load ${load.toFixed(1)} on ${cores} cores): what follows is too low.`,
  )
}

function since(from: number, to = performance.now()): string {
  return ((to - from) / 1000).toFixed(1)
}

async function measureRequests(): Promise<void> {
  const response = await fetch(`${shop.url}/rest/v1/services?order=duration_minutes`, { headers })
  const [service] = (await response.json()) as { id: string; duration_minutes: number }[]
  const slot = { date: addDays(shopToday(new Date()), 7), time: '13:30:00' }
  const availability = await load('/rest/v1/rpc/is_time_slot_available', {
    service_duration: service?.duration_minutes,
    booking_date: slot.date,
    booking_time: slot.time,
  })
  print('availability of a time', availability, peer.availability)
  print('booking a free time', await bookMonth(service?.id ?? ''), peer.booking)
  print('the home page', await load('/'), undefined)
}

/** Bookings a second until the month is full: each is for a time of its own, out of hours some are refused. */
async function bookMonth(serviceId: string): Promise<number> {
  const today = shopToday(new Date())
  const slots = Array.from({ length: 28 }, (_, day) => addDays(today, day + 2)).flatMap((date) =>
    Array.from({ length: 24 }, (_, half) => ({
      date,
      time: `${String(8 + Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`,
    })),
  )
  const tokens = await openForms(slots.length)
  let booked = 0
  const start = performance.now()
  const lane = async () => {
    for (let slot = slots.pop(); slot; slot = slots.pop()) {
      const response = await fetch(`${shop.url}/rest/v1/bookings`, {
        method: 'POST',
        headers: { ...headers, 'x-form-token': tokens.pop() ?? '' },
        body: JSON.stringify(bookingOf(serviceId, slot)),
      })
      await response.arrayBuffer()
      if (response.status === 201) booked += 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, lane))
  return booked / ((performance.now() - start) / 1000)
}

/** Tokens of forms that have been open long enough to be a person's. */
async function openForms(count: number): Promise<string[]> {
  const tokens: string[] = []
  while (tokens.length < count) {
    const response = await fetch(`${shop.url}/api/form-token`, { headers })
    tokens.push(((await response.json()) as { token: string }).token)
  }
  await delay(3_000)
  return tokens
}

function bookingOf(serviceId: string, { date, time }: { date: string; time: string }): object {
  return {
    service_id: serviceId,
    appointment_date: date,
    appointment_time: time,
    customer_name: 'Bench Mark',
    customer_email: `bench-${date}-${time.replaceAll(':', '')}@example.com`,
    customer_phone: `555-0100 x${date}${time}`,
    vehicle_year: '2020',
    vehicle_make: 'Honda',
    vehicle_model: 'Civic',
    status: 'confirmed',
  }
}

/** Answers a second of 32 connections; the better of two turns, after a short one to warm up. */
async function load(path: string, body?: object): Promise<number> {
  const rates: number[] = []
  for (const duration of [1, seconds, seconds]) {
    const result = await autocannon({
      url: shop.url + path,
      connections: 32,
      duration,
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (result.non2xx + result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused`)
    rates.push(result['2xx'] / result.duration)
  }
  return Math.max(...rates.slice(1))
}

function print(what: string, rate: number, other: number | undefined): void {
  const ratio = other ? `${(rate / other).toFixed(1)} x of ${other}/s` : ''
  console.log(`${what.padEnd(36)} ${`${Math.round(rate)}/s`.padEnd(12)} ${ratio}`)
}

/** What a browser fetches for each page, over the network, with an empty cache. */
async function measurePages(): Promise<void> {
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    args: browserFlags,
    ...(executablePath ? { executablePath } : {}),
  })
  for (const path of ['/', '/book-appointment', '/request-quote', '/pay-invoice']) {
    const page = await browser.newPage()
    await page.route(/openstreetmap/, (route) => route.abort())
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    let requests = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests += 1
    })
    await page.goto(shop.url + path, { waitUntil: 'load' })
    // What a page still fetches by itself once it stands.
    await delay(1_500)
    const kibibytes = bytes / 1024
    console.log(
      `${path.padEnd(36)} ${`${kibibytes.toFixed(0)} KiB`.padEnd(12)} in ${requests} requests; ${(kibibytes / peer.kibibytes).toFixed(2)} x of ${peer.kibibytes} KiB in ${peer.requests}`,
    )
    await page.close()
  }
  await browser.close()
}

/** Memory of everything that the site started, shared pages counted once (PSS). */
async function measureIdle(): Promise<void> {
  if (process.platform !== 'linux') return
  await delay(5_000)
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const sizes = pids.map((pid) => readPss(pid))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`memory at rest, PostgreSQL included  ${(total / 1024).toFixed(0)} MiB`)
}

function readPss(pid: string): number {
  try {
    const words = text(`/proc/${pid}/cmdline`)
    const isSite =
      words.includes('server/main.ts') && text(`/proc/${pid}/environ`).includes(dataDirectory)
    const isOurs =
      isSite ||
      words.includes(dataDirectory) ||
      readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDirectory)
    const [, size = '0'] =
      (isOurs && /^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))) || []
    return Number(size)
  } catch {
    return 0
  }
}

function text(file: string): string {
  return readFileSync(file, 'utf8')
}
