import type { Client } from 'pg'
import { type PipelinedStatement, runPipelined } from '@local/postgres'
import { countLocks, medianOf, profileFunctions, profileStatements, print } from './profile-kit.ts'
import { type FreeTime, bookingOf, listFreeTimes } from './site-requests.ts'
import { amountOf } from './smoke.ts'

const rounds = amountOf(150, 3)
/** The number of bookings that one profile sends, warm-ups included; each booking uses a form token of its own. */
export const bookingsPerProfile = Math.ceil(rounds * 2.2) + 2

/** Profiles one booking of a visitor, sent to the database in one round trip, as the REST API sends it. */
export async function profileBookings(
  url: string,
  client: Client,
  tokens: string[],
): Promise<void> {
  const times = (await listFreeTimes(url)).values()
  const next = () => bookingStatements(times.next().value, tokens.pop())
  const bookNext = () => runPipelined(client, 'anon', next())
  print('a booking with its round trip and its commit', await medianOf(rounds, bookNext))
  await countLocks(client, next())
  await profileFunctions(client, rounds, bookNext)
  await profileStatements(client, bookNext)
}

/** Switches to the visitor's database role and inserts the booking, as the REST API does. */
function bookingStatements(time: FreeTime | undefined, token = ''): PipelinedStatement[] {
  if (!time) throw new Error('There are too few free times.')
  const headers = { 'x-form-token': token, 'x-rate-limits': 'off', 'x-links-later': 'yes' }
  const columns = Object.entries(bookingOf(time))
  return [
    {
      text: `select set_config('role', 'anon', true), set_config('request.jwt.claims', '{"role":"anon"}', true),
        set_config('request.headers', $1, true)`,
      values: [JSON.stringify(headers)],
    },
    {
      text: `insert into public.bookings (${columns.map(([column]) => column).join(', ')})
        values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      values: columns.map(([, value]) => value),
    },
  ]
}
