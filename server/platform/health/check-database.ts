import { type Database, type Outage, outageOf, type Query } from '@local/postgres'

/** What keeps bookings from being taken; `slow` is a database that does not answer in time. */
export type HealthProblem = Outage | 'slow'

const timeoutMs = 3_000

/**
 * Looks whether a booking could be taken now, as a visitor: the login, the role and the tables that it
 * needs are there, writes are allowed, and the disk takes some more. Undefined when all is well.
 */
export async function checkDatabase(database: Database): Promise<HealthProblem | undefined> {
  const check = database.transaction({ role: 'anon' }, findAilment).catch(ailmentOf)
  const gaveUp = Promise.withResolvers<HealthProblem>()
  const timer = setTimeout(() => gaveUp.resolve('slow'), timeoutMs)
  try {
    return await Promise.race([check, gaveUp.promise])
  } finally {
    clearTimeout(timer)
  }
}

// More rows than `work_mem` holds go to a temporary file of about 600 kB, on the disk of the tables: the one
// write that leaves nothing behind, needs no right, and on a full disk fails without harm. (A row in
// a table often finds room on its page while nothing else does; the log of transactions, once it finds
// no room, takes the whole server down.)
const spillQuery = 'select count(*) from generate_series(1, 30000)'

async function findAilment(query: Query): Promise<HealthProblem | undefined> {
  await query(`select set_config('work_mem', '64kB', true)`)
  const [row] = await query(
    `select current_setting('transaction_read_only') as read_only, (${spillQuery}) as room,
       exists (select from public.services) as services`,
  )
  return row?.read_only === 'on' ? 'read-only' : undefined
}

function ailmentOf(error: unknown): HealthProblem {
  return outageOf(error) ?? 'failing'
}
