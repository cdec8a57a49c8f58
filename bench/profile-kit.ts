import type { Client } from 'pg'
import type { PipelinedStatement } from '@local/postgres'
import { quantile } from './dashboard-fixtures.ts'

// Measurements in PostgreSQL for profile-availability.ts and profile-bookings.ts.

/** Returns the median duration of many sequential runs, in microseconds. */
export async function medianOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  // Fills caches before the measured runs.
  for (let round = 0; round < rounds * 0.2; round += 1) await work()
  const durations: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    await work()
    durations.push((performance.now() - started) * 1000)
  }
  return quantile(durations, 0.5)
}

/** Prints how many locks a transaction with the given statements holds at its end. */
export async function countLocks(
  client: Client,
  statements: readonly PipelinedStatement[],
): Promise<void> {
  await client.query('begin')
  for (const { text, values } of statements) await client.query(text, [...values])
  const { rows } = await client.query<{ locks: number }>(
    `select count(*)::integer as locks from pg_locks where pid = pg_backend_pid() and locktype in ('relation', 'advisory')`,
  )
  await client.query('commit')
  console.log(`  ${'tables, indexes and advisory keys locked'.padEnd(90)} ${rows[0]?.locks}`)
}

/**
 * Prints the time that PostgreSQL's statistics report for each function. Collecting the statistics takes time, so these
 * figures are comparable only with each other.
 */
export async function profileFunctions(
  client: Client,
  rounds: number,
  run: () => Promise<unknown>,
): Promise<void> {
  await client.query(`select pg_stat_reset(); set track_functions = 'all'`)
  for (let round = 0; round < rounds; round += 1) await run()
  await client.query(`set track_functions = 'none'; select pg_stat_force_next_flush()`)
  const { rows } = await client.query<{ name: string; calls: number; micros: number }>(
    `select schemaname || '.' || funcname as name, round(calls / ${rounds}.0, 1)::float as calls,
            self_time * 1000 / ${rounds} as micros
     from pg_stat_user_functions where calls >= ${rounds} order by self_time desc`,
  )
  for (const { name, calls, micros } of rows) print(`  ${calls} x ${name}, without callees`, micros)
}

/**
 * Prints the execution time of each statement of one run with its triggers; statements inside functions come first.
 * Recording slows all statements.
 */
export async function profileStatements(
  client: Client,
  run: () => Promise<unknown>,
): Promise<void> {
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    const [, millis, text = ''] =
      /^duration: ([\d.]+) ms\s+plan:\s+Query Text: ([\s\S]+?)\n[^\n]*\(cost/.exec(message) ?? []
    if (millis === undefined || text.includes('set_config')) return
    print(`  executes ${text.replace(/\s+/g, ' ').slice(0, 64)}`, Number(millis) * 1000)
    for (const [, trigger, time] of message.matchAll(/^Trigger (.+): time=([\d.]+)/gm)) {
      print(`    including trigger ${trigger}`, Number(time) * 1000)
    }
  }
  await client.query(`load 'auto_explain'; set auto_explain.log_level = 'notice';
    set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_triggers = on;
    set auto_explain.log_min_duration = 0`)
  client.on('notice', listen)
  await run()
  client.off('notice', listen)
  await client.query('set auto_explain.log_min_duration = -1')
}

export function print(what: string, micros: number): void {
  console.log(`  ${what.padEnd(90)} ${micros.toFixed(0).padStart(6)} µs`)
}
