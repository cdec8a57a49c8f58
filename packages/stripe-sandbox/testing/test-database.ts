import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { openDatabase } from '@local/postgres'
import pg from 'pg'
import { inject } from 'vitest'
import type { Transaction } from '../api/call.ts'

/** A database with the schema of the sandbox only, on the PostgreSQL server of the test run. */
export type TestDatabase = {
  /** Runs a database transaction as the superuser. */
  readonly transaction: Transaction
  /** Runs one statement as the superuser and returns its rows. */
  readonly query: pg.Client['query']
  drop(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { ownerUrl: serverUrl } = inject('testServer')
  const name = `stripe_test_${randomBytes(6).toString('hex')}`
  await runOnServer(serverUrl, `create database ${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'))
  const database = openDatabase(url.href)
  const superuser = { role: decodeURIComponent(url.username) }
  return {
    transaction: (work) => database.transaction(superuser, work),
    query: client.query.bind(client),
    async drop() {
      await Promise.all([database.close(), client.end()])
      await runOnServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
