import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, DatabaseError, escapeLiteral } from 'pg'
import { type Database, openDatabase, StartupError } from '@local/postgres'
import { type EmbeddedPostgres, spoolOf, startEmbeddedPostgres } from '@local/embedded-postgres'
import { claimDataDirectory } from './data-directory.ts'
import { describe, migrate, sqlFolder, withLock } from './migrations.ts'

/** A database with the current schema, and a connection pool to it. */
export type PreparedDatabase = {
  readonly database: Database
  /**
   * The connection URL of the role that owns the tables, for migrations, backup, restore and the nightly rewrite of
   * table files.
   */
  readonly ownerUrl: string
  /** The names of the migrations that this start applied. */
  readonly migrated: readonly string[]
  /**
   * The folder into which the embedded server copies its write-ahead log for the backup; undefined without a backup.
   */
  readonly spool: string | undefined
  /**
   * Resolves with the reason when the embedded server stopped and could not be restarted. Never resolves for an
   * external server.
   */
  readonly lost: Promise<string>
  /** Closes the connection pool, and stops the PostgreSQL server if it is embedded. */
  stop(): Promise<void>
}

export type DatabaseSettings = {
  readonly dataDirectory: string
  readonly databaseUrl: string | undefined
  /**
   * Defined if and only if the database belongs to a hosted Supabase project. Such a project has its own roles and
   * schemas, which the site does not change.
   */
  readonly hosted: object | undefined
  /**
   * Defined if and only if the continuous backup is on. The embedded server then copies its write-ahead log into a
   * spool folder, from which the backup removes the copies.
   */
  readonly backup?: object | undefined
}

/**
 * Starts the embedded PostgreSQL or connects to `databaseUrl`, and updates the schema. If that is impossible, throws
 * `StartupError` with a message for the owner.
 */
export async function prepareDatabase(settings: DatabaseSettings): Promise<PreparedDatabase> {
  const server = await reachServer(settings)
  try {
    const isHosted = settings.hosted !== undefined
    const { poolUrl, migrated } = await bringUpToDate(server.ownerUrl, isHosted)
    const database = openDatabase(poolUrl, {
      applicationName: 'torque-and-timing',
      whyDown: server.whyDown,
      ...(settings.databaseUrl === undefined && { pipelineConnections: ownPipelines() }),
    })
    return {
      database,
      ownerUrl: server.ownerUrl,
      spool: server.spool,
      migrated,
      lost: server.lost,
      async stop() {
        await database.close()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * The number of connections from the REST API to the embedded PostgreSQL server: two for each processor of this
 * machine, but at least 4 and at most 16. Measured on two processors: with ten connections instead of four, PostgreSQL
 * needed a fifth more processor time for a booking (docs/benchmarks.md).
 */
const ownPipelines = () => Math.min(16, Math.max(4, 2 * availableParallelism()))

type Server = Pick<EmbeddedPostgres, 'ownerUrl' | 'whyDown' | 'lost' | 'stop'> & {
  readonly spool: string | undefined
}

/** The time in seconds after which PostgreSQL archives a write-ahead log segment even if the segment is not full. */
const archiveEverySeconds = 60

async function reachServer({
  databaseUrl,
  dataDirectory,
  backup,
}: DatabaseSettings): Promise<Server> {
  if (databaseUrl !== undefined) {
    await checkConnection(databaseUrl)
    return {
      ownerUrl: databaseUrl,
      spool: undefined,
      whyDown: () => undefined,
      lost: new Promise<string>(() => undefined),
      stop: () => Promise.resolve(),
    }
  }
  claimDataDirectory(dataDirectory)
  const options = { dataDirectory, ...(backup && { archiveEverySeconds }) }
  const server = await startEmbeddedPostgres(options).catch((error: unknown) => {
    throw error instanceof StartupError ? withSettingNames(error) : error
  })
  return { ...server, lost: server.lost, spool: backup && spoolOf(resolve(dataDirectory)) }
}

/**
 * Adds a line to an error message of the embedded server. The line names the settings for the data directory and for an
 * external server.
 */
function withSettingNames({ message }: StartupError): StartupError {
  return new StartupError(
    `${message}\n(DATA_DIR sets the data directory; DATABASE_URL sets another PostgreSQL server.)`,
  )
}

async function checkConnection(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    // The connection URL contains a password, so the message contains only the name of the server.
    const { hostname, port, pathname } = new URL(ownerUrl)
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new StartupError(
      `The PostgreSQL server of DATABASE_URL (${hostname}:${port || '5432'}${pathname}) refused the connection: ${reason}`,
    )
  }
}

/**
 * Applies the bootstrap script, the schema or migrations, and the seed to the database of `ownerUrl`. A repeated
 * call does no harm, and several processes may call the function at the same time. Returns the connection URL of the
 * pool.
 */
export async function bringUpToDate(
  ownerUrl: string,
  isHosted = false,
): Promise<{ poolUrl: string; migrated: string[] }> {
  if (isHosted) return { poolUrl: ownerUrl, migrated: await migrate(ownerUrl) }
  await bootstrapDatabase(ownerUrl)
  return { poolUrl: poolUrlOf(ownerUrl), migrated: await migrate(ownerUrl) }
}

/**
 * Creates the objects that a hosted Supabase project already contains: roles, the `auth` schema, and the login of the
 * site.
 */
export function bootstrapDatabase(ownerUrl: string): Promise<void> {
  return withLock(ownerUrl, (client) => bootstrap(client, derivePassword(ownerUrl)))
}

/**
 * Returns the connection URL of the role `authenticator` for the database of `ownerUrl`. The role exists after the
 * update of the schema.
 */
export function poolUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.username = 'authenticator'
  url.password = derivePassword(ownerUrl)
  return url.href
}

/**
 * Derives the password of the role `authenticator` from the owner's connection URL, so that every process computes
 * the same password and none has to store it.
 */
function derivePassword(ownerUrl: string): string {
  const secret = decodeURIComponent(new URL(ownerUrl).password)
  return createHmac('sha256', secret).update('torque-and-timing authenticator').digest('base64url')
}

/**
 * The oldest PostgreSQL version that can run every migration. Version 15 refuses to add a stored generated column to
 * a table while a function has the table's row type as an argument.
 */
const oldestVersion = 16

/** Throws `StartupError` when the server is too old, according to its `server_version_num` (160004 is 16.4). */
export function refuseOldServer(versionNumber: number): void {
  const version = Math.floor(versionNumber / 10_000)
  if (version >= oldestVersion) return
  throw new StartupError(
    `The PostgreSQL server of DATABASE_URL is version ${version}; the site needs ${oldestVersion} or newer. Upgrade the server, or leave DATABASE_URL empty: the site then starts a server of its own.`,
  )
}

async function bootstrap(client: Client, password: string): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  )
  refuseOldServer(rows[0]?.version ?? 0)
  const sql = await readFile(join(sqlFolder, 'bootstrap.sql'), 'utf8')
  const script = `begin; ${sql}
    alter role authenticator password ${escapeLiteral(password)}; commit`
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(script)
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (error instanceof DatabaseError && error.code === '42501') throw lacksPermissions(error)
      if (attempt === 5 || !isRace(error)) throw describe(error, 'supabase/bootstrap.sql', sql)
    }
  }
}

function lacksPermissions(error: DatabaseError): StartupError {
  return new StartupError(
    `The login of DATABASE_URL has no right to prepare the database: ${error.message}. It must own the database and have the right to create roles: ALTER ROLE … CREATEROLE; ALTER DATABASE … OWNER TO …. Nothing was changed.`,
  )
}

/**
 * Whether two processes tried to create the same role at the same time. The migration lock does not prevent this,
 * because it belongs to one database and roles belong to the whole server. The process that fails tries again.
 */
function isRace(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.code === '23505' || /concurrently updated/.test(error.message)
}
