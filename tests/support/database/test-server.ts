import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { bringUpToDate } from '#server/platform/database/bootstrap-database.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { countingSettings } from './called-functions.ts'
import { testFormKey } from '#tests/support/app/form-key.ts'
import { prepareHostedProject } from './hosted-project.ts'
import { testLinkKey } from '#tests/support/app/test-keys.ts'

/** The PostgreSQL of a test run, with one prepared database that tests copy. */
export type TestServer = {
  /** The URL of a superuser. */
  readonly ownerUrl: string
  /** The name of the migrated and seeded database. */
  readonly template: string
  stop(): Promise<void>
}

/** Starts a PostgreSQL server for the tests, or uses the server at `TEST_DATABASE_URL`, whose user must be a superuser. */
export async function startTestServer(): Promise<TestServer> {
  const server = await reachServer()
  const template = `shop_template_${process.pid}_${randomBytes(3).toString('hex')}`
  await runAsOwner(server.ownerUrl, `create database ${template}`)
  const prepare = process.env['TEST_PROJECT'] === 'hosted' ? prepareHostedProject : bringUpToDate
  const templateUrl = withDatabase(server.ownerUrl, template)
  await prepare(templateUrl)
  await runAsOwner(
    templateUrl,
    `insert into internal.secrets (name, value)
       values ('form_key', '${testFormKey}'), ('visit_key', '${testLinkKey}')`,
  )
  return {
    ownerUrl: server.ownerUrl,
    template,
    async stop() {
      await runAsOwner(server.ownerUrl, `drop database ${template} with (force)`)
      await server.stop()
    },
  }
}

async function reachServer(): Promise<{ ownerUrl: string; stop(): Promise<void> }> {
  // Ignores DATABASE_URL, because on a developer's computer this variable may contain the URL of a real shop's
  // database.
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { ownerUrl: given, stop: () => Promise.resolve() }
  const directory = mkdtempSync(join(tmpdir(), 'torque-test-'))
  const server = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'data'),
    durable: false,
    settings: {
      max_connections: '200',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      ...countingSettings,
    },
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
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
