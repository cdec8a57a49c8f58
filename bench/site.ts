import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '#tests/support/app/server-process.ts'
import { launchBrowser } from './browser.ts'
import { compareCommits, compareWithItself } from './compare-commits.ts'
import { createDataDirectory, createEmptyDirectory } from './prepared.ts'
import {
  requestAvailability,
  bookEveryTime,
  listFreeTimes,
  load,
  openForms,
  type Turn,
} from './site-requests.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Measures the whole site as an owner runs it, including a durable PostgreSQL, and compares it with earlier
// measurements of Easy!Appointments 1.6 (PHP-FPM, MariaDB) on a similar machine: 32 connections, availability 260/s,
// booking 58/s, booking page 505 KiB in 34 requests. The two sites were measured on different days, so the comparison
// shows only the order of magnitude. Then the bench compares the current site with an earlier commit, in alternating
// turns, which gives exact ratios.
//   npm run bench -- site                      (BENCH_SECONDS: length of one turn, 1 by default)
//   npm run bench -- site --against 53de4f3    compares with commit 53de4f3 instead of 618b292

const peer = { availability: 260, booking: 58, kibibytes: 505, requests: 34 }

// The bench measures the first start of a shop, so it starts with an empty data directory. A smoke run starts with the
// prepared one instead.
const dataDirectory = isSmoke ? createDataDirectory() : createEmptyDirectory()
const settings = { DATA_DIR: dataDirectory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
const first = performance.now()
if (!isSmoke) await (await startServer(settings)).end()
const started = performance.now()
const shop = await startServer(settings)
try {
  warnWhenBusy()
  console.log(`first start with an empty database   ${since(first, started)} s, start and stop`)
  console.log(`warm start to the first booking      ${since(started)} s`)
  await measureIdle()
  await measureRequests()
  await measurePages()
  if (isSmoke) await compareWithItself(shop)
} finally {
  await shop.end()
  rmSync(dataDirectory, { recursive: true, force: true })
}
if (!isSmoke) await compareCommits()

function warnWhenBusy(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load < cores / 2) return
  console.log(
    `This machine is busy (load ${load.toFixed(1)} on ${cores} cores): the following figures are too low.`,
  )
}

function since(from: number, to = performance.now()): string {
  return ((to - from) / 1000).toFixed(1)
}

async function measureRequests(): Promise<void> {
  const times = await listFreeTimes(shop.url)
  const tokens = await openForms(shop.url, times.length)
  print(
    'availability of a time',
    await best(() => requestAvailability(shop.url, times)),
    peer.availability,
  )
  const started = performance.now()
  await bookEveryTime(shop.url, times, tokens)
  const seconds = (performance.now() - started) / 1000
  print('booking a free time', times.length / seconds, peer.booking)
  print('the home page', await best(() => load(`${shop.url}/`)), undefined)
}

/** Measures the responses per second in two turns after a warm-up turn, and returns the higher result. */
async function best(run: () => Promise<Turn>): Promise<number> {
  if (isSmoke) return (await run()).perSecond
  await run()
  return Math.max((await run()).perSecond, (await run()).perSecond)
}

function print(what: string, rate: number, other: number | undefined): void {
  const ratio = other ? `${(rate / other).toFixed(1)} x of ${other}/s` : ''
  console.log(`${what.padEnd(36)} ${`${Math.round(rate)}/s`.padEnd(12)} ${ratio}`)
}

/** Measures the transfer size of each page in a browser with an empty cache. */
async function measurePages(): Promise<void> {
  const browser = await launchBrowser()
  for (const path of isSmoke
    ? ['/']
    : ['/', '/book-appointment', '/request-quote', '/pay-invoice']) {
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
    // Waits, so that the transfer size includes the requests that the page sends after loading.
    await delay(amountOf(1_500, 0))
    const kibibytes = bytes / 1024
    console.log(
      `${path.padEnd(36)} ${`${kibibytes.toFixed(0)} KiB`.padEnd(12)} in ${requests} requests; ${(kibibytes / peer.kibibytes).toFixed(2)} x of ${peer.kibibytes} KiB in ${peer.requests}`,
    )
    await page.close()
  }
  await browser.close()
}

/** Prints the memory that all processes of the idle site use; memory that processes share counts once (PSS). */
async function measureIdle(): Promise<void> {
  if (process.platform !== 'linux') return
  await delay(amountOf(5_000, 0))
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const sizes = pids.map((pid) => readPss(pid))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`memory at rest, PostgreSQL included  ${(total / 1024).toFixed(0)} MiB`)
}

function readPss(pid: string): number {
  try {
    const commandLine = text(`/proc/${pid}/cmdline`)
    const isSite =
      commandLine.includes('server/main.ts') && text(`/proc/${pid}/environ`).includes(dataDirectory)
    const isOurs =
      isSite ||
      commandLine.includes(dataDirectory) ||
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
