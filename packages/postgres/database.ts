import { Socket } from 'node:net'
import pg from 'pg'
import { type Outage, outageOf } from './outage.ts'
import { columnTypes, type Query, queryOf } from './query.ts'
import { runPipelined, type PipelinedRows, type PipelinedStatement } from './pipelining.ts'

/** The PostgreSQL role of a transaction, and the values that policies and triggers may read in it. */
export type Identity<Role extends string = string> = {
  readonly role: Role
  /** Claims of the verified access token (a JWT); policies read the claims from the setting `request.jwt.claims`. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Request headers; triggers read the headers from the setting `request.headers`, as under PostgREST. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Runs `work` as another identity in the same transaction, then restores the previous identity. */
export type ActAs = <Result>(identity: Identity, work: () => Promise<Result>) => Promise<Result>

export type Database = {
  /** Runs `work` in one transaction as `identity`: committed when `work` resolves, rolled back when `work` throws. */
  transaction<Result>(
    identity: Identity,
    work: (query: Query, actAs: ActAs) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs a fixed list of statements in one transaction and one network round trip. Resolves to the rows of each
   * statement, with the columns as text.
   */
  pipeline(
    identity: Identity,
    statements: readonly PipelinedStatement[],
    options?: PipelineOptions,
  ): Promise<PipelinedRows>
  /** A pool of connections that log in as a role without rights; each transaction sets the role of its identity. */
  readonly pool: pg.Pool
  /** Calls `listener` for each transaction or pipeline that failed because of a database outage. */
  onOutage(listener: (error: Error, outage: Outage) => void): void
  close(): Promise<void>
}

export type PipelineOptions = {
  readonly readOnly?: boolean
  readonly statementTimeoutMs?: number
}

export type DatabaseOptions = {
  /** The maximum number of connections; 10 by default. */
  readonly maxConnections?: number
  /**
   * The number of connections that only pipelines use; when undefined, pipelines share the connections of transactions.
   * A pipeline occupies a processor of PostgreSQL for its whole duration, so more connections than processors do not
   * increase the throughput. With fewer connections, the caches of each PostgreSQL process serve more pipelines.
   */
  readonly pipelineConnections?: number | undefined
  /** The name of this program in `pg_stat_activity`. */
  readonly applicationName?: string
  /**
   * Returns the error that callers get while the server is known to be down, otherwise undefined. While this function
   * returns an error, the pool does not try to connect.
   */
  readonly whyDown?: () => Error | undefined
}

/**
 * Opens the pools. `connectionString` must log in as a role that owns nothing and may `set role` to each role of an
 * `Identity`.
 */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const pool = openPool(connectionString, options)
  const { pipelineConnections } = options
  const pipelinePool =
    pipelineConnections === undefined
      ? pool
      : openPool(connectionString, { ...options, maxConnections: pipelineConnections })
  const listeners: ((error: Error, outage: Outage) => void)[] = []
  const observed = async <Result>(work: Promise<Result>, isReadOnly = false): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      const outage = outageOf(error, isReadOnly)
      if (outage) for (const listener of listeners) listener(error as Error, outage)
      throw error
    }
  }
  return {
    pool,
    onOutage: (listener) => void listeners.push(listener),
    close: async () => {
      await Promise.all([...new Set([pool, pipelinePool])].map((each) => each.end()))
    },
    pipeline: (identity, statements, options = {}) =>
      observed(pipelineAs(pipelinePool, identity, statements, options), options.readOnly),
    transaction: (identity, work) => observed(transact(pool, identity, work)),
  }
}

function openPool(
  connectionString: string,
  { maxConnections = 10, applicationName, whyDown }: DatabaseOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    types: columnTypes,
    connectionTimeoutMillis: 5_000,
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    ...(whyDown ? { stream: () => createSocket(whyDown()) } : {}),
  })
  // The pool replaces a broken connection. Without these listeners, an 'error' event of a connection would end the
  // process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Creates a socket that fails immediately while the server is known to be down. Callers get the error without a
 * timeout, and no outgoing connection can occupy the port that the restarted server needs.
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
  work: (query: Query, actAs: ActAs) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(`begin; ${assume(identity)}`)
    const result = await work(queryOf(client), actAsOn(client, identity))
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

function actAsOn(client: pg.ClientBase, first: Identity): ActAs {
  let current = first
  return async (identity, work) => {
    const before = current
    await client.query(assume((current = identity)))
    const result = await work()
    // An error rolls back the transaction together with its settings.
    await client.query(assume((current = before)))
    return result
  }
}

/** Sets the role of the transaction and the values that policies and triggers read, in one round trip. */
function assume({ role, claims, headers }: Identity): string {
  return [
    `set local role ${pg.escapeIdentifier(role)}`,
    `select set_config('request.jwt.claims', ${pg.escapeLiteral(JSON.stringify(claims ?? { role }))}, true),
       set_config('request.headers', ${pg.escapeLiteral(JSON.stringify(headers ?? {}))}, true)`,
  ].join('; ')
}

/**
 * Creates the first statement of a pipeline, which sets the role and the settings of the identity, as `assume` does for
 * a transaction. The text of the statement is constant, so PostgreSQL prepares it once and later pipelines send only
 * the values.
 */
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
