import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { bringUpToDate } from '#server/platform/bootstrap-database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

/**
 * One PostgreSQL for the whole run, with one prepared database that every test file copies.
 * `TEST_DATABASE_URL` (a superuser's) runs the suite against another server instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await reachServer()
  const template = `shop_template_${process.pid}_${randomBytes(3).toString('hex')}`
  await runAsOwner(server.ownerUrl, `create database ${template}`)
  await bringUpToDate(withDatabase(server.ownerUrl, template))
  project.provide('testServer', { ownerUrl: server.ownerUrl, template })
  return async () => {
    await runAsOwner(server.ownerUrl, `drop database ${template} with (force)`)
    await server.stop()
  }
}

async function reachServer(): Promise<{ ownerUrl: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given) return { ownerUrl: given, stop: () => Promise.resolve() }
  const directory = mkdtempSync(join(tmpdir(), 'torque-test-'))
  const server = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'data'),
    durable: false,
    settings: { max_connections: '200', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  return {
    ownerUrl: server.ownerUrl,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function runAsOwner(ownerUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: { ownerUrl: string; template: string }
  }
}
