import type { Client } from 'pg'
import { addDays } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { publicAnonKey } from '#server/config.ts'
import { type PipelinedStatement, runPipelined } from '@local/postgres'
import { countLocks, medianOf, profileFunctions, profileStatements, print } from './profile-kit.ts'
import { amountOf } from './smoke.ts'

const rounds = amountOf(1_000, 3)
const date = addDays(shopToday(new Date()), 7)

/** Switches to the visitor's database role, as the REST API does at the start of each transaction. */
const setRole: PipelinedStatement = {
  text: `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
    set_config('request.headers', $3, true), set_config('statement_timeout', $4, true)`,
  values: ['anon', '{"role":"anon"}', '{}', '3000'],
}
const call: PipelinedStatement = {
  text: 'select public.is_time_slot_available($1::integer, $2::date, $3::time)',
  values: ['45', date, '13:30:00'],
}
const nothing: PipelinedStatement = { text: 'select 1', values: [] }

/**
 * Profiles one availability check. The statement `select 1` shows the cost of the round trip and of switching the
 * database role.
 */
export async function profileAvailability(url: string, client: Client): Promise<void> {
  const run = (statement: PipelinedStatement) => runPipelined(client, 'anon', [setRole, statement])
  print('availability over HTTP', await medianOf(rounds, () => requestAvailability(url)))
  print('a round trip with an empty statement', await medianOf(rounds, () => run(nothing)))
  print('a round trip with the availability check', await medianOf(rounds, () => run(call)))
  await countLocks(client, [setRole, call])
  await profileFunctions(client, rounds, () => run(call))
  await profileStatements(client, () => run(call))
}

async function requestAvailability(url: string): Promise<void> {
  const response = await fetch(`${url}/rest/v1/rpc/is_time_slot_available`, {
    method: 'POST',
    headers: { apikey: publicAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ service_duration: 45, booking_date: date, booking_time: '13:30:00' }),
  })
  if ((await response.text()) !== 'true') throw new Error(`${date} 13:30 is not free`)
}
