import { fork } from 'node:child_process'
import { join } from 'node:path'

// Every bench, one after the other: the benches compare within themselves, and two at once would only
// measure each other.
//   npm run bench                 all of them
//   npm run bench -- site data    those whose names begin with one of the words

const benches: readonly [name: string, what: string][] = [
  ['site', 'the whole site: availability, bookings, pages'],
  ['dashboard', "the dashboard's questions with 100 and with 100,000 bookings"],
  ['dashboard-browser', 'the dashboard in a browser with 100 and with 100,000 bookings'],
  [
    'dashboard-day',
    'a full day of the counter in a browser: until it answers, and while a car is dragged',
  ],
  ['people', 'people among 100 and 100,000 appointments: linking, booking, searching'],
  ['accountant', 'the files for the accountant of 100,000 appointments'],
  ['booking-slots', 'the free times of a date in a browser'],
  ['data-service', 'the data service against PostgREST and the bare driver'],
  ['payments', 'finding, verifying and printing invoices'],
  ['sample-week', 'a sample week: filled in, read, removed'],
  ['lighthouse', 'every public page in Lighthouse'],
]

const words = process.argv.slice(2)
const chosen = benches.filter(
  ([name]) => words.length === 0 || words.some((word) => name.startsWith(word)),
)
if (chosen.length === 0) {
  console.error(`No bench has such a name. There are: ${benches.map(([name]) => name).join(', ')}`)
  process.exitCode = 1
}
for (const [name, what] of chosen) {
  console.log(`\n▶ ${name}: ${what}`)
  const child = fork(join(import.meta.dirname, `${name}.ts`))
  const status = await new Promise((ended) => child.once('exit', ended))
  if (status !== 0) process.exitCode = 1
}
