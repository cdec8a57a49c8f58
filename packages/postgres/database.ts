import { Socket } from 'node:net'
import pg from 'pg'
import { type Outage, outageOf } from './outage.ts'
import { columnTypes, type Query, queryOf } from './query.ts'
import { runPipelined, type PipelinedRows, type PipelinedStatement } from './pipelining.ts'

/** Whom a piece of work acts as: the PostgreSQL role, and what its policies may read of the request. */
export type Identity = {
  readonly role: 'anon' | 'authenticated' | 'service_role' | 'shop_server' | 'supabase_auth_admin'
  /** Claims of the verified access token; policies read them with `auth.jwt()`. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Request headers that triggers may read, as PostgREST offers them in `request.headers`. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Database = {
  /** One transaction as `identity`: committed when `work` resolves, rolled back when it throws. */
  transaction<Result>(identity: Identity, work: (query: Query) => Promise<Result>): Promise<Result>
  /**
   * One transaction as `identity` whose statements are known beforehand, in one network round trip:
   * the rows of each statement, columns as text. All or nothing, as `transaction`.
   */
  pipeline(
    identity: Identity,
    statements: readonly PipelinedStatement[],
    options?: PipelineOptions,
  ): Promise<PipelinedRows>
  /** The pool that logs in as `authenticator`, a role with no rights of its own. */
  readonly pool: pg.Pool
  /** From now on `listen` hears of each piece of work that failed for want of a working database. */
  onOutage(listen: (error: Error, outage: Outage) => void): void
  close(): Promise<void>
}

export type PipelineOptions = {
  readonly readOnly?: boolean
  readonly statementTimeoutMs?: number
}

/** The server's own features act as this role. */
export const asServer: Identity = { role: 'shop_server' }

/** Why nobody can be let in by the server right now; undefined when it may be asked. */
type WhyDown = () => Error | undefined

/**
 * Opens the pool. `connectionString` must log in as a role that may `set role` to every
 * `Identity['role']` and owns nothing.
 */
export function openDatabase(
  connectionString: string,
  maxConnections = 10,
  whyDown?: WhyDown,
): Database {
  const pool = openPool(connectionString, maxConnections, whyDown)
  const listeners: ((error: Error, outage: Outage) => void)[] = []
  const observed = async <Result>(work: Promise<Result>, isReadOnly = false): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const outage = outageOf(error, isReadOnly)
      if (outage) for (const listen of listeners) listen(error as Error, outage)
      throw error
    }
  }
  return {
    pool,
    onOutage: (listen) => void listeners.push(listen),
    close: () => pool.end(),
    pipeline: (identity, statements, options = {}) =>
      observed(pipelineAs(pool, identity, statements, options), options.readOnly),
    transaction: (identity, work) => observed(transact(pool, identity, work)),
  }
}

function openPool(connectionString: string, max: number, whyDown?: WhyDown): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types: columnTypes,
    application_name: 'torque-and-timing',
    connectionTimeoutMillis: 5_000,
    ...(whyDown ? { stream: () => createSocket(whyDown()) } : {}),
  })
  // A connection that breaks, idle or held, is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * While the server is known to be down nobody knocks: the answer is there at once, and no attempt can
 * take the very port that the server comes back on.
 */
function createSocket(why: Error | undefined): Socket {
  const socket = new Socket()
  if (why) socket.connect = () => socket.destroy(why)
  return socket
}

async function pipelineAs(
  pool: pg.Pool,
  identity: Identity,
  statements: readonly PipelinedStatement[],
  options: PipelineOptions,
): Promise<PipelinedRows> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const rows = await runPipelined(client, identity.role, [
      settings(identity, options),
      ...statements,
    ])
    return rows.slice(1)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

async function transact<Result>(
  pool: pg.Pool,
  identity: Identity,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(begin(identity))
    const result = await work(queryOf(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** One round trip opens the transaction, takes the role and shows the request to policies. */
function begin({ role, claims, headers }: Identity): string {
  const settings = [
    `set local role ${pg.escapeIdentifier(role)}`,
    `select set_config('request.jwt.claims', ${pg.escapeLiteral(JSON.stringify(claims ?? { role }))}, true)`,
  ]
  if (headers) {
    settings.push(
      `select set_config('request.headers', ${pg.escapeLiteral(JSON.stringify(headers))}, true)`,
    )
  }
  return `begin; ${settings.join('; ')}`
}

/** The same as `begin` for a pipeline: one prepared statement, so that only its values travel. */
function settings(
  { role, claims, headers }: Identity,
  options: PipelineOptions,
): PipelinedStatement {
  const text = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
    set_config('request.headers', $3, true), set_config('statement_timeout', $4, true)
    ${options.readOnly ? `, set_config('transaction_read_only', 'on', true)` : ''}`
  const values = [
    role,
    JSON.stringify(claims ?? { role }),
    JSON.stringify(headers ?? {}),
    String(options.statementTimeoutMs ?? 0),
  ]
  return { text, values }
}
