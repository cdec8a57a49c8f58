import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { findRunningServer } from '@local/embedded-postgres'
import { openPool } from '#tests/support/database/open-pool.ts'
import { type ServerProcess, startServer } from '#tests/support/app/server-process.ts'
import { fillWithBookings } from './past-bookings.ts'
import { quantile } from './dashboard-fixtures.ts'
import { provideCommit } from './earlier-commit.ts'
import { emptyBookings } from './empty-bookings.ts'
import { createDataDirectory, createEmptyDirectory } from './prepared.ts'
import {
  type FreeTime,
  type Turn,
  bookEveryTime,
  requestAvailability,
  openForms,
  listFreeTimes,
} from './site-requests.ts'
import { amountOf, isSmoke } from './smoke.ts'

/** The last commit before bays, closures and customers were added. The current code should be as fast as that code. */
const usualCommit = '618b292'
const turns = amountOf(5, 1)
/** The number of times that one turn books every free time. One pass has too few bookings for a 99th percentile. */
const calendarsPerTurn = amountOf(2, 1)
const root = join(import.meta.dirname, '..')
/** The measured ratio of the speeds may be up to 3 % below the required ratio, because measurements vary. */
const tolerance = 0.97

type Contender = {
  readonly name: string
  readonly shop: ServerProcess
  readonly owner: pg.Pool
  readonly times: readonly FreeTime[]
  /** The form tokens for the bookings of all turns; each booking uses one token. */
  readonly tokens: string[]
}

type Workload = {
  readonly name: string
  /** The required ratio of the speeds: the speed of the current code divided by the speed of the earlier commit. */
  readonly aim: number
  readonly run: (contender: Contender) => Promise<Turn>
}

const workloads: readonly Workload[] = [
  {
    name: 'availability of a time',
    aim: 1,
    run: ({ shop, times }) => requestAvailability(shop.url, times),
  },
  { name: 'booking a free time', aim: 1, run: runBookings },
]

const workloadsInLargeShop: readonly Workload[] = workloads.map(({ name, run }) => ({
  name: `${name}, 6 bays, 12 closures`,
  aim: 0.9,
  run,
}))

/**
 * Compares the site of the current code with the site of an earlier commit. Each site has its own server. The servers
 * are measured in alternating turns, so that other load on the machine slows both alike.
 */
export async function compareCommits(): Promise<void> {
  const { values } = parseArgs({
    strict: false,
    options: { against: { type: 'string', default: usualCommit } },
  })
  const commit = String(values.against)
  const checkout = provideCommit(commit)
  if (!checkout.ok) return console.log(`not compared: ${checkout.refusal}`)
  const shops: ServerProcess[] = []
  const contenders: Contender[] = []
  const open = async (name: string, folder: string, dataDirectory: string) => {
    const settings = { DATA_DIR: dataDirectory, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
    const shop = await startServer(settings, 'server/main.ts', folder)
    shops.push(shop)
    const contender = await createContender(name, shop)
    contenders.push(contender)
    return contender
  }
  try {
    const today = await open('today', root, createDataDirectory())
    // The earlier code starts with an empty data directory, because it cannot use a database of the current code.
    const earlier = await open(commit, checkout.value, createEmptyDirectory())
    await compareContenders(today, earlier)
  } finally {
    for (const { owner } of contenders) await owner.end()
    for (const shop of shops) {
      await shop.end()
      rmSync(shop.dataDirectory, { recursive: true, force: true })
    }
  }
}

/** Compares a running site with itself, which lets a smoke run check the comparison without starting another site. */
export async function compareWithItself(shop: ServerProcess): Promise<void> {
  const contender = await createContender('itself', shop)
  try {
    await compareContenders(contender, contender)
  } finally {
    await contender.owner.end()
  }
}

async function compareContenders(today: Contender, earlier: Contender): Promise<void> {
  console.log(`today and ${earlier.name}, in turns: medians of ${turns}`)
  for (const workload of workloads) await compare(today, earlier, workload)
  await emptyBookings(today.owner)
  await addBaysAndClosures(today.owner)
  const large = { ...today, times: await listFreeTimes(today.shop.url) }
  for (const workload of workloadsInLargeShop) await compare(large, earlier, workload)
}

async function createContender(name: string, shop: ServerProcess): Promise<Contender> {
  const databaseUrl = findRunningServer(shop.dataDirectory)
  if (!databaseUrl) throw new Error(`${name} has no database of its own`)
  const owner = openPool(databaseUrl, 1)
  // Deletes the bookings, because in a smoke run the earlier measurements have booked every free time of the shop.
  await emptyBookings(owner)
  await fillWithBookings(owner, amountOf(2_000, 20))
  const times = await listFreeTimes(shop.url)
  const bookings = times.length * calendarsPerTurn * (turns + 1) * 2
  const tokens = await openForms(shop.url, bookings)
  return { name, shop, owner, times, tokens }
}

async function compare(today: Contender, earlier: Contender, workload: Workload): Promise<void> {
  const ours: Turn[] = []
  const theirs: Turn[] = []
  // The first turn of each site only fills caches and lets the site compile its code.
  for (let turn = isSmoke ? 1 : 0; turn <= turns; turn += 1) {
    // The first turn of a pair can speed up or slow down the second one, so the order of the sites alternates.
    const pair = [
      { contender: today, results: ours },
      { contender: earlier, results: theirs },
    ]
    for (const { contender, results } of turn % 2 ? pair : pair.toReversed()) {
      const result = await workload.run(contender)
      if (turn > 0) results.push(result)
    }
  }
  const ratio = medianOf(ours, 'perSecond') / medianOf(theirs, 'perSecond')
  const verdict = ratio / workload.aim >= tolerance ? 'met' : 'missed'
  console.log(
    `${workload.name.padEnd(46)} ${formatTurns(ours)}, ${earlier.name} ${formatTurns(theirs)}: ` +
      `${ratio.toFixed(2)} x (aim ${workload.aim.toFixed(1)}: ${verdict})`,
  )
}

function formatTurns(all: readonly Turn[]): string {
  return `${Math.round(medianOf(all, 'perSecond'))}/s p99 ${medianOf(all, 'p99').toFixed(0)} ms`
}

function medianOf(all: readonly Turn[], field: keyof Turn): number {
  return quantile(
    all.map((turn) => turn[field]),
    0.5,
  )
}

/**
 * Books all free times `calendarsPerTurn` times, each booking for a new customer. Deletes the bookings before and after
 * the turn, so that the job that links new bookings to customers has no work during the other site's turn.
 */
async function runBookings({ shop, owner, times, tokens }: Contender): Promise<Turn> {
  const latencies: number[] = []
  let seconds = 0
  await emptyBookings(owner)
  for (let calendar = 0; calendar < calendarsPerTurn; calendar += 1) {
    const started = performance.now()
    latencies.push(...(await bookEveryTime(shop.url, times, tokens)))
    seconds += (performance.now() - started) / 1000
    await emptyBookings(owner)
  }
  return { perSecond: latencies.length / seconds, p99: quantile(latencies, 0.99) }
}

/**
 * Adds five bays and twelve closures. Six closures cover whole dates. The other six each close one bay for an
 * afternoon; the measured availability check requests a time in one of these afternoons.
 */
export async function addBaysAndClosures(owner: pg.Pool | pg.Client): Promise<void> {
  await owner.query(`
    insert into public.bays (name, position) select 'Bay ' || n, n from generate_series(2, 6) n;
    insert into public.special_hours (starts_at, ends_at)
    select day, day + interval '1 day'
    from internal.shop_now() as shop (now), generate_series(shop.now::date + 13, shop.now::date + 28, interval '3 days') day;
    insert into public.special_hours (starts_at, ends_at, bay_id)
    select day + time '13:00', day + time '18:00', id
    from internal.shop_now() as shop (now), public.bays, lateral (select shop.now::date + 6 + position as day) as their`)
}
