import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { amountOf, isSmoke } from './smoke.ts'

// The requests of the site bench. The bench sends them as visitors' pages do, in a format that every commit since
// 618b292 supports.

const connections = 32
const seconds = amountOf(1, 1, 'BENCH_SECONDS')
const days = amountOf(28, 3)
const headers = { apikey: publicAnonKey, 'content-type': 'application/json' }

/** The result of one turn of a workload. `p99` is the 99th percentile of the response times, in milliseconds. */
export type Turn = { readonly perSecond: number; readonly p99: number }

export type FreeTime = {
  readonly serviceId: string
  readonly minutes: number
  readonly date: string
  readonly time: string
}

/** Measures the throughput and the response times while 32 connections repeat the same request. */
export async function load(url: string, body?: object): Promise<Turn> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(isSmoke && { amount: connections }),
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused`)
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99 }
}

/** Measures repeated availability checks of one time: the first free 1:30 PM that is at least a week ahead. */
export async function requestAvailability(url: string, times: readonly FreeTime[]): Promise<Turn> {
  const week = addDays(shopToday(new Date()), 7)
  const slot = times.find(({ date, time }) => date >= week && time === '13:30:00') ?? times.at(-1)
  if (!slot) throw new Error(`${url} has no free time`)
  return load(`${url}/rest/v1/rpc/is_time_slot_available`, {
    service_duration: slot.minutes,
    booking_date: slot.date,
    booking_time: slot.time,
  })
}

/**
 * Lists the half hours of four weeks that are free for the shortest service; consecutive half hours are on different
 * dates.
 */
export async function listFreeTimes(url: string): Promise<FreeTime[]> {
  const { id, minutes } = await shortestService(url)
  const today = shopToday(new Date())
  const times = Array.from({ length: 48 }, (_, half) => half).flatMap((half) =>
    Array.from({ length: days }, (_, day) => ({
      serviceId: id,
      minutes,
      date: addDays(today, day + 2),
      time: `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`,
    })),
  )
  const free: FreeTime[] = []
  await inParallel(times, async (time) => {
    if (await isFree(url, time)) free.push(time)
  })
  return free.toSorted((a, b) => `${a.time} ${a.date}`.localeCompare(`${b.time} ${b.date}`))
}

async function isFree(url: string, { minutes, date, time }: FreeTime): Promise<boolean> {
  const response = await fetch(`${url}/rest/v1/rpc/is_time_slot_available`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ service_duration: minutes, booking_date: date, booking_time: time }),
  })
  return (await response.json()) === true
}

/** Requests form tokens and waits three seconds, so that the server does not treat a submitted form as automated. */
export async function openForms(url: string, count: number): Promise<string[]> {
  const tokens: string[] = []
  await inParallel(Array.from({ length: count }), async () => {
    const response = await fetch(`${url}/api/form-token`, { headers })
    tokens.push(((await response.json()) as { token: string }).token)
  })
  await delay(3_000)
  return tokens
}

/**
 * Books each of the times for a new customer, with 32 concurrent requests. Returns the response times in milliseconds.
 */
export async function bookEveryTime(
  url: string,
  times: readonly FreeTime[],
  tokens: string[],
): Promise<readonly number[]> {
  const latencies: number[] = []
  await inParallel(times, async (time) => {
    const sent = performance.now()
    const response = await fetch(`${url}/rest/v1/bookings`, {
      method: 'POST',
      headers: { ...headers, 'x-form-token': tokens.pop() ?? '' },
      body: JSON.stringify(bookingOf(time)),
    })
    const body = await response.text()
    if (response.status !== 201) throw new Error(`${time.date} ${time.time}: ${body}`)
    latencies.push(performance.now() - sent)
  })
  return latencies
}

let customers = 0

/** Returns the row of a booking by a new customer, as the booking form sends it. */
export function bookingOf({ serviceId, date, time }: FreeTime): Record<string, string> {
  customers += 1
  const digits = String(customers).padStart(7, '0')
  return {
    service_id: serviceId,
    appointment_date: date,
    appointment_time: time,
    customer_name: 'Bench Mark',
    customer_email: `bench-${customers}@customer.example`,
    // A phone number that no other customer of this run has: seven digits, spread over several area codes.
    customer_phone: `(${200 + Number(digits.slice(0, 5))}) 555-01${digits.slice(5)}`,
    vehicle_year: '2020',
    vehicle_make: 'Honda',
    vehicle_model: 'Civic',
    status: 'confirmed',
  }
}

async function shortestService(url: string): Promise<{ id: string; minutes: number }> {
  const response = await fetch(`${url}/rest/v1/services?order=duration_minutes`, { headers })
  const [service] = (await response.json()) as { id: string; duration_minutes: number }[]
  if (!service) throw new Error(`${url} has no services`)
  return { id: service.id, minutes: service.duration_minutes }
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: connections }, worker))
}
