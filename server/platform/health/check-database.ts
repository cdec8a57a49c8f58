import { type Database, type Outage, outageOf, type Query } from '@local/postgres'

/** The reasons why visitors cannot book; `slow` means that the database does not respond in time. */
export type HealthProblem = Outage | 'slow'

const timeoutMs = 3_000

/**
 * Checks with the rights of a visitor whether a booking is possible: the database login, the role and the tables exist,
 * the database accepts writes, and the disk has free space. Resolves to undefined when there is no problem.
 */
export async function checkDatabase(database: Database): Promise<HealthProblem | undefined> {
  const check = checkTwice(database)
  const gaveUp = Promise.withResolvers<HealthProblem>()
  const timer = setTimeout(() => gaveUp.resolve('slow'), timeoutMs)
  try {
    return await Promise.race([check, gaveUp.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Checks the database, and repeats the check if the database seems unreachable, because a single broken connection of
 * the pool is not an outage.
 */
async function checkTwice(database: Database): Promise<HealthProblem | undefined> {
  const check = () => database.transaction({ role: 'anon' }, findAilment).catch(ailmentOf)
  const problem = await check()
  return problem === 'unreachable' ? check() : problem
}

// Checks the free space of the disk that contains the tables. The result of this query is larger than `work_mem`, so
// PostgreSQL writes the result to a temporary file of about 600 kB on that disk. This write needs no permission, leaves
// nothing behind, and fails without harm on a full disk. Inserting a row is no alternative: the row would often fit
// into an existing page, and its record could stop the whole server if the disk of the write-ahead log is full.
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
