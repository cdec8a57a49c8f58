import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { bootstrapDatabase } from '#server/platform/database/bootstrap-database.ts'
import { buildSchema } from '#server/platform/database/build-schema.ts'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { migrateTo, sqlFolder, withLock } from '#server/platform/database/migrations.ts'
import { openPool } from '#tests/support/database/open-pool.ts'

export type ScratchDatabase = {
  readonly owner: Pool
  readonly ownerUrl: string
  drop(): Promise<void>
}

/** Creates a database from the schema files of `folder` alone, without seed and migration history. */
export function databaseFromSchema(
  serverUrl: string,
  folder = sqlFolder,
): Promise<ScratchDatabase> {
  return createScratchDatabase(serverUrl, (ownerUrl) =>
    withLock(ownerUrl, async (client) => {
      await client.query('begin')
      await buildSchema(client, folder)
      await client.query('commit')
    }),
  )
}

/** Creates a database from the migrations of `folder`, in order and without other statements. */
export function databaseFromMigrations(
  serverUrl: string,
  folder = sqlFolder,
): Promise<ScratchDatabase> {
  return createScratchDatabase(serverUrl, async (ownerUrl) => {
    await migrateTo(ownerUrl, await readMigrations(folder), folder)
    await withLock(ownerUrl, (client) => client.query('drop schema supabase_migrations cascade'))
  })
}

/**
 * Creates a temporary database on the server that `serverUrl` names, bootstraps it, and fills the database with the
 * function `fill`.
 */
export async function createScratchDatabase(
  serverUrl: string,
  fill: (ownerUrl: string) => Promise<void>,
): Promise<ScratchDatabase> {
  const name = `shop_scratch_${randomBytes(6).toString('hex')}`
  const server = openPool(serverUrl, 1)
  const ownerUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const drop = async () => {
    await server.query(`drop database if exists ${name} with (force)`)
    await server.end()
  }
  await server.query(`create database ${name}`)
  try {
    await bootstrapDatabase(ownerUrl)
    await fill(ownerUrl)
  } catch (error) {
    await drop()
    throw error
  }
  const owner = openPool(ownerUrl, 1)
  return {
    owner,
    ownerUrl,
    async drop() {
      await owner.end()
      await drop()
    },
  }
}
