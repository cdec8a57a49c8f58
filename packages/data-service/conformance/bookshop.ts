import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Database, queryBy } from '@local/postgres'
import type { Caller } from '../rest/caller.ts'
import { registerRest } from '../rest/register-rest.ts'
import { hostedLimits } from '../rest/serve.ts'
import { startPostgrest } from './oracle.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** A server of the REST API on a test database with the tables of a bookshop. */
export type Bookshop = {
  /** The URL to which paths such as `/books` are appended. */
  readonly restUrl: string
  readonly testDatabase: TestDatabase
  close(): Promise<void>
}

const secret = 'a secret that only the tests of the REST dialect know'

/** Signs a token that this REST API and PostgREST accept. */
function tokenFor(claims: { role: string; sub?: string }): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export const anonToken = tokenFor({ role: 'anon' })
export const readerToken = tokenFor({ role: 'authenticated', sub: 'user-1' })

export type OurBookshop = Bookshop & { readonly app: FastifyInstance }

/**
 * Starts this REST API with an authentication that does not verify tokens. `onStatement` is called with every
 * statement. `tables` is SQL that creates other tables in place of the bookshop's.
 */
export async function openOurs(
  onStatement: (sql: string) => void = () => undefined,
  tables?: string,
): Promise<OurBookshop> {
  const testDatabase = await createTables(tables)
  const app = Fastify()
  const statementTimeoutMs = { ...hostedLimits.statementTimeoutMs, anon: 1_000 }
  registerRest(app, {
    database: observe(testDatabase.database, onStatement),
    authenticate,
    publicUrl: 'http://site.example',
    limits: { ...hostedLimits, statementTimeoutMs },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    restUrl: `${url}/rest/v1`,
    testDatabase,
    async close() {
      await app.close()
      await testDatabase.drop()
    },
  }
}

function observe(database: Database, onStatement: (sql: string) => void): Database {
  return {
    ...database,
    pipeline(identity, statements, options) {
      for (const { text } of statements) onStatement(text)
      return database.pipeline(identity, statements, options)
    },
    transaction: (identity, work) =>
      database.transaction(identity, (query, actAs) =>
        work(
          queryBy((text, values, name) => {
            onStatement(text)
            return query.unchecked(text, values, name)
          }),
          actAs,
        ),
      ),
  }
}

/** Starts PostgREST on a database with the tables of the bookshop. */
export async function openPostgrest(binary: string, tables?: string): Promise<Bookshop> {
  const testDatabase = await createTables(tables)
  const oracle = await startPostgrest(binary, testDatabase.url, secret)
  return {
    restUrl: oracle.url,
    testDatabase,
    async close() {
      await oracle.stop()
      await testDatabase.drop()
    },
  }
}

async function createTables(tables?: string): Promise<TestDatabase> {
  const testDatabase = await createTestDatabase()
  if (tables !== undefined) {
    await testDatabase.owner.query(tables)
    return testDatabase
  }
  for (const file of ['fixture.sql', 'fixture-views.sql', 'fixture-names.sql']) {
    await testDatabase.owner.query(await readFile(new URL(file, import.meta.url), 'utf8'))
  }
  return testDatabase
}

function authenticate(request: FastifyRequest): Caller {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? anonToken
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    role: string
  }
  const custom = request.headers['x-custom']
  const headers = typeof custom === 'string' ? { 'x-custom': custom } : {}
  return { ok: true, identity: { role: claims.role, claims, headers } }
}
