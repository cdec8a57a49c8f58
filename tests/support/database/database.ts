import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { type Database, openDatabase } from '@local/postgres'
import { openPool } from './open-pool.ts'
import { recordCalledFunctions } from './called-functions.ts'

export type TestDatabase = {
  /** The pool of the site, which logs in as `authenticator` and sets a role for each transaction. */
  readonly database: Database
  /** The superuser's pool, which bypasses every policy, for setting up and inspecting data. */
  readonly owner: Pool
  /** The URL of `database`. */
  readonly url: string
  /** The URL of `owner`. */
  readonly ownerUrl: string
  /** Closes both pools and drops the database. */
  drop(): Promise<void>
}

/**
 * Creates a database of its own for a test file: a copy of the migrated and seeded template database of the test run.
 * Create the database in `beforeAll`, and drop it in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl: serverUrl, template } = inject('testServer')
  const name = `shop_test_${randomBytes(6).toString('hex')}`
  await runOnServer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  const target = new URL(serverUrl)
  target.pathname = `/${name}`
  const url = poolUrlOf(target.href)
  const owner = openPool(target.href, 5)
  const database = openDatabase(url)
  await addTestOwner(owner)
  return {
    database,
    owner,
    url,
    ownerUrl: target.href,
    async drop() {
      await Promise.all([database.close(), owner.end()])
      await recordCalledFunctions(serverUrl, target.href)
      await runOnServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

/** The user id of the owner whose staff account every test database has; this owner cannot sign in. */
export const testOwnerId = '00000000-0000-4000-8000-000000000001'

/** Adds the staff account of the owner with the id `testOwnerId`. */
export async function addTestOwner(owner: Pool): Promise<void> {
  await owner.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'ana', 'owner')`,
    [testOwnerId],
  )
}

async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
