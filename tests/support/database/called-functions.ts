import { Client } from 'pg'

/**
 * Whether the test run records which database functions the tests execute. PostgreSQL checks a body in dollar quotes
 * only during a call, so an untested function may name a column that no longer exists. `npm test` sets
 * CHECK_CALLED_FUNCTIONS only for the step that runs all server tests.
 */
export const areCallsCounted = Boolean(process.env['CHECK_CALLED_FUNCTIONS'])

/** The settings of a PostgreSQL server. With CHECK_CALLED_FUNCTIONS, the server counts the calls of functions. */
export const countingSettings: Readonly<Record<string, string>> = areCallsCounted
  ? { track_functions: 'all' }
  : {}

/**
 * Records the functions that were executed in the database of `url`. All other connections to this database must be
 * closed.
 */
export async function recordCalledFunctions(serverUrl: string, url: string): Promise<void> {
  if (!areCallsCounted) return
  const { rows } = await query<{ name: string }>(
    url,
    `select distinct schemaname || '.' || funcname as name from pg_stat_user_functions`,
  )
  await query(serverUrl, createTable)
  await query(
    serverUrl,
    'insert into public.called_functions select unnest($1::text[]) on conflict do nothing',
    [rows.map(({ name }) => name)],
  )
}

/** Finds the functions of the database `template` that have a body in quotes and that no test has executed. */
export async function findUnexecutedFunctions({
  ownerUrl: serverUrl,
  template,
}: {
  readonly ownerUrl: string
  readonly template: string
}): Promise<string[]> {
  const templateUrl = Object.assign(new URL(serverUrl), { pathname: `/${template}` }).href
  await query(serverUrl, createTable)
  const { rows: called } = await query<{ name: string }>(
    serverUrl,
    'select name from public.called_functions',
  )
  const { rows } = await query<{ name: string }>(
    templateUrl,
    `select distinct format('%s.%s', pronamespace::regnamespace, proname) as name from pg_proc
     where pronamespace::regnamespace::text in ('public', 'internal', 'stripe_sandbox') and prosqlbody is null
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
     order by 1`,
  )
  const names = new Set(called.map(({ name }) => name))
  return rows.map(({ name }) => name).filter((name) => !names.has(name))
}

const createTable = 'create table if not exists public.called_functions (name text primary key)'

async function query<Row extends object>(url: string, sql: string, values: unknown[] = []) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query<Row>(sql, values)
  } finally {
    await client.end()
  }
}
