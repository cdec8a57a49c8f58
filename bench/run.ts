import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withPreparedShop } from './prepared.ts'

// Runs every bench one after the other, because two benches at the same time would slow each other.
//   npm run bench                           runs all benches
//   npm run bench -- site data              runs the benches whose names begin with one of the words
//   npm run bench -- site --against 53de4f3 compares the site with commit 53de4f3 instead of 618b292
//   npm run bench -- --smoke                checks that each bench works: one iteration each, without valid figures

// The benches that take long in a smoke run come first, so that no such bench runs alone at the end of the smoke run.
const benches: readonly [name: string, what: string][] = [
  ['lighthouse', 'every public page in Lighthouse'],
  ['site', 'the whole site: availability, bookings, pages'],
  ['profile', 'the profile of one availability check and of one booking'],
  ['dashboard', "the dashboard's requests with 100 and with 100,000 bookings"],
  ['dashboard-browser', 'the dashboard in a browser with 100 and with 100,000 bookings'],
  ['dashboard-day', 'a full day view in a browser: loading, and dragging a vehicle'],
  ['customers', 'customers among 100 and 100,000 appointments: linking, booking, searching'],
  ['accountant', 'the files for the accountant of 100,000 appointments'],
  ['invoices', 'the list of invoices among 100 and among 100,000'],
  ['booking-slots', 'the free times of a date in a browser'],
  ['data-service', 'the data service against PostgREST and the bare driver'],
  ['payments', 'finding, verifying and printing invoices'],
  ['sample-week', 'a sample week: filled in, read, removed'],
]

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false }, against: { type: 'string' } },
})
const chosen = benches.filter(
  ([name]) => filters.length === 0 || filters.some((filter) => name.startsWith(filter)),
)
// A smoke run runs three benches at the same time, because nobody uses the figures of a smoke run.
const queue = chosen.values()
if (chosen.length > 0) {
  await withPreparedShop(async () => {
    await Promise.all(Array.from({ length: options.smoke ? 3 : 1 }, runQueue))
  })
} else {
  console.error(`No bench has such a name. There are: ${benches.map(([name]) => name).join(', ')}`)
  process.exitCode = 1
}

async function runQueue(): Promise<void> {
  for (const [name, what] of queue) {
    const status = options.smoke ? await runQuietly(name) : await runAloud(name, what)
    if (status !== 0) process.exitCode = 1
  }
}

async function runAloud(name: string, what: string): Promise<unknown> {
  console.log(`\n▶ ${name}: ${what}`)
  const started = performance.now()
  const against = options.against ? ['--against', options.against] : []
  const [status] = await once(fork(fileOf(name), against), 'exit')
  console.log(`${name} took ${secondsSince(started)} s`)
  return status
}

/** Prints the output of a bench only when the bench failed. */
async function runQuietly(name: string): Promise<unknown> {
  const started = performance.now()
  const child = fork(fileOf(name), ['--smoke'], { silent: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const [status] = await once(child, 'close')
  console.log(`${status === 0 ? '✓' : '✗'} ${name.padEnd(20)} ${secondsSince(started)} s`)
  if (status !== 0) console.log(output)
  return status
}

function fileOf(name: string): string {
  return join(import.meta.dirname, `${name}.ts`)
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1)
}
