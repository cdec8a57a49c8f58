import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Database, queryBy } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import type { Caller, RequestIdentity } from '../rest/caller.ts'
import { registerRest } from '../rest/register-rest.ts'
import { hostedLimits } from '../rest/serve.ts'
import { startPostgrest } from './oracle.ts'

/** A server of the REST dialect over a bookshop of its own. */
export type Bookshop = {
  /** What comes before `/books`. */
  readonly restUrl: string
  readonly shop: TestDatabase
  close(): Promise<void>
}

const secret = 'a secret that only the tests of the REST dialect know'

/** A token for `claims`, which both servers accept. */
function tokenFor(claims: { role: RequestIdentity['role']; sub?: string }): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export const anonToken = tokenFor({ role: 'anon' })
export const readerToken = tokenFor({ role: 'authenticated', sub: 'user-1' })

export type OurBookshop = Bookshop & { readonly app: FastifyInstance }

/**
 * Ours, with a stand-in for the verification of tokens. `onStatement` hears every statement sent. `tables`
 * is SQL that makes other tables instead of the bookshop's.
 */
export async function openOurs(
  onStatement: (sql: string) => void = () => undefined,
  tables?: string,
): Promise<OurBookshop> {
  const shop = await stock(tables)
  const app = Fastify()
  const statementTimeoutMs = { ...hostedLimits.statementTimeoutMs, anon: 1_000 }
  registerRest(app, {
    database: overhear(shop.database, onStatement),
    authenticate,
    publicUrl: 'http://shop.example',
    limits: { ...hostedLimits, statementTimeoutMs },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    restUrl: `${url}/rest/v1`,
    shop,
    async close() {
      await app.close()
      await shop.drop()
    },
  }
}

function overhear(database: Database, onStatement: (sql: string) => void): Database {
  return {
    ...database,
    pipeline(identity, statements, options) {
      for (const { text } of statements) onStatement(text)
      return database.pipeline(identity, statements, options)
    },
    transaction: (identity, work) =>
      database.transaction(identity, (query) =>
        work(
          queryBy((text, values, name) => {
            onStatement(text)
            return query.unchecked(text, values, name)
          }),
        ),
      ),
  }
}

/** The service whose dialect it is. */
export async function openPostgrest(binary: string, tables?: string): Promise<Bookshop> {
  const shop = await stock(tables)
  const oracle = await startPostgrest(binary, shop.url, secret)
  return {
    restUrl: oracle.url,
    shop,
    async close() {
      await oracle.stop()
      await shop.drop()
    },
  }
}

async function stock(tables?: string): Promise<TestDatabase> {
  const shop = await createTestDatabase()
  if (tables !== undefined) {
    await shop.owner.query(tables)
    return shop
  }
  for (const file of ['fixture.sql', 'fixture-views.sql', 'fixture-names.sql']) {
    await shop.owner.query(await readFile(new URL(file, import.meta.url), 'utf8'))
  }
  return shop
}

function authenticate(request: FastifyRequest): Caller {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? anonToken
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    role: RequestIdentity['role']
  }
  const formToken = request.headers['x-form-token']
  const headers = typeof formToken === 'string' ? { 'x-form-token': formToken } : {}
  return { ok: true, identity: { role: claims.role, claims, headers } }
}
