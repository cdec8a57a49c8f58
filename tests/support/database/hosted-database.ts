import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { openDatabase } from '@local/postgres'
import type { TestDatabase } from './database.ts'
import { prepareHostedProject } from './hosted-project.ts'
import { openPool } from './open-pool.ts'

/**
 * Creates a hosted Supabase project's database on its own PostgreSQL server. The project's auth service owns the
 * accounts. `ownerUrl` and `url` connect as the project's owner, who is no superuser; `owner` connects as a superuser.
 */
export async function createHostedDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'torque-project-'))
  const server = await startEmbeddedPostgres({ dataDirectory: folder, durable: false })
  await prepareHostedProject(server.ownerUrl, ['hosted-auth.sql', 'hosted-project.sql'])
  const owner = openPool(server.ownerUrl, 5)
  const url = new URL(server.ownerUrl)
  url.username = 'hosted_owner'
  const database = openDatabase(url.href)
  return {
    database,
    owner,
    url: url.href,
    ownerUrl: url.href,
    async drop() {
      await Promise.all([database.close(), owner.end()])
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A user of the hosted Supabase project's auth service. A user who is staff also has a staff account of the shop. */
export type HostedUser = {
  readonly id: string
  readonly email: string
  readonly appMetadata: object
}

/** The beginning of every text that `plantSecrets` writes. */
export const secretMark = 'planted in '

/**
 * Adds a user, and one row to every table of Supabase's services. Each text names its table and column, so that a test
 * recognizes the text in a backup.
 */
export async function plantSecrets(
  owner: TestDatabase['owner'],
  { id, email, appMetadata }: HostedUser,
): Promise<number> {
  const planted = { [secretMark]: `${secretMark}metadata` }
  await owner.query(
    `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, email_confirmed_at)
     values ($1, $2, $3, $4, '2026-03-08 09:59:59.123456+00', now(), now())`,
    [id, email, { ...appMetadata, ...planted }, planted],
  )
  const { rows } = await owner.query<{ table: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as table, array_agg(quote_ident(a.attname)::text) as columns
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('auth', 'vault', 'storage') and c.relkind = 'r' and a.attnum > 0 and a.attgenerated = ''
       and a.atttypid in ('text'::regtype, 'varchar'::regtype) and a.attname <> 'email'
     group by 1`,
  )
  for (const { table, columns } of rows) {
    const values = columns.map((column) => `'${secretMark}${table}.${column} of ${id.slice(-2)}'`)
    await owner.query(
      table === 'auth.users'
        ? `update auth.users set (${columns.join(', ')}) = row (${values.join(', ')}) where id = '${id}'`
        : `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`,
    )
  }
  return rows.reduce((sum, { columns }) => sum + columns.length, 0)
}
