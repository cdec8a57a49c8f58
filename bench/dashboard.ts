import { addDays } from '#domain/calendar/calendar-date.ts'
import {
  adminHeaders,
  type BenchSite,
  quantile,
  shown,
  thisMonday,
  withSites,
} from './dashboard-fixtures.ts'
import { amountOf, isSmoke } from './smoke.ts'

// Measures the dashboard's requests to a shop with 100 bookings and to one with 100,000, in alternating turns, so that
// other load on the machine slows both alike. The result is the ratio of the median durations.
//   npm run bench -- dashboard      (BENCH_RUNS: runs of each request, 60 by default)

const runs = amountOf(60, 1, 'BENCH_RUNS')
const warmUps = amountOf(5, 0)

/** The columns of the dashboard's list of appointments, as in web/dashboard/features/appointments/bookings-api.ts. */
const columns = `id,service_id,appointment_date,appointment_time,duration_minutes,customer_name,
  customer_email,customer_phone,notes,vehicle_year,vehicle_make,vehicle_model,vehicle_color,status,
  completed_at,completed_by,flagged_reasons,service:services(name,duration_minutes),tasks(id)`.replaceAll(
  /\s/g,
  '',
)
const completedOnes = `rest/v1/bookings?select=${columns}&completed_at=not.is.null&order=appointment_date.desc,appointment_time.desc&limit=25`
const found = `rest/v1/rpc/find_bookings?select=${columns}&limit=25&order=appointment_date`

type Question = {
  readonly name: string
  /** The path and the query of a request to the REST API; with `body` the request is a POST, otherwise a GET. */
  readonly path: string
  readonly body?: Readonly<Record<string, string>>
  readonly isCounted?: true
}

const questions: readonly Question[] = [
  {
    name: 'bookings of the week',
    path: `rest/v1/bookings?select=${columns}&appointment_date=gte.${thisMonday}&appointment_date=lte.${addDays(thisMonday, 6)}&order=appointment_date,appointment_time`,
  },
  {
    name: '25 open bookings and their count',
    path: `rest/v1/bookings?select=${columns}&completed_at=is.null&order=appointment_date,appointment_time&limit=25`,
    isCounted: true,
  },
  { name: '25 completed bookings', path: completedOnes },
  { name: 'count of all bookings', path: 'rest/v1/bookings?select=id&limit=0', isCounted: true },
  {
    name: 'search in open bookings and count',
    path: `${found}&completed_at=is.null`,
    body: { search: shown.search },
    isCounted: true,
  },
  {
    name: 'search in completed bookings and count',
    path: `${found}&completed_at=not.is.null`,
    body: { search: shown.search },
    isCounted: true,
  },
]

await withSites(isSmoke ? [100] : [100, 100_000], async (shops) => {
  const measures = await Promise.all(shops.map(createMeasure))
  console.log(
    `${'median ms, p95 ms'.padEnd(40)}${shops.map(({ bookings }) => `${bookings} bookings`.padEnd(20)).join('')}ratio`,
  )
  for (const question of questions) await compare(measures, question)
})

type Measure = (question: Question) => Promise<number>

async function createMeasure(shop: BenchSite): Promise<Measure> {
  const headers = await adminHeaders(shop.url)
  return async ({ path, body, isCounted }) => {
    const start = performance.now()
    const response = await fetch(`${shop.url}/${path}`, {
      headers: { ...headers, ...(isCounted && { prefer: 'count=exact' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return performance.now() - start
  }
}

async function compare(measures: readonly Measure[], question: Question): Promise<void> {
  const times = measures.map((): number[] => [])
  for (let run = -warmUps; run < runs; run += 1) {
    for (const [index, measure] of measures.entries()) {
      const ms = await measure(question)
      // The first runs, which are not measured, fill the caches of the small and of the large shop.
      if (run >= 0) times[index]?.push(ms)
    }
  }
  const [few = [0, 0], many = [0, 0]] = times.map((all) =>
    [0.5, 0.95].map((part) => quantile(all, part)),
  )
  const cells = [few, many].map((one) =>
    one
      .map((ms) => ms.toFixed(1))
      .join(', ')
      .padEnd(20),
  )
  console.log(
    `${question.name.padEnd(40)}${cells.join('')}${((many[0] ?? 0) / (few[0] ?? 1)).toFixed(2)}`,
  )
}
