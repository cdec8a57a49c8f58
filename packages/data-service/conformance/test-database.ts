import { type Database, openDatabase } from '@local/postgres'
import type pg from 'pg'
import { createEmptyDatabase } from '../../postgres/testing.ts'

export type TestDatabase = {
  /** A pool that logs in as `rest_login` and sets a role for each transaction. */
  readonly database: Database
  /** Connections of the superuser, which no policy restricts. */
  readonly owner: pg.Pool
  /** The URL with which `database` connects to PostgreSQL. */
  readonly url: string
  /** Closes the connections and drops the database. */
  drop(): Promise<void>
}

const login = { name: 'rest_login', password: 'only for tests' } as const

/**
 * Creates the roles of a Supabase project, and a role that logs in. Roles belong to the whole PostgreSQL server, so
 * another test file may create the same roles at the same time. Only the transaction that commits first creates the
 * roles; all other transactions change nothing.
 */
const rolesSql = `
  do $$
  declare
    missing text;
  begin
    foreach missing in array '{anon,authenticated,service_role}'::text[] loop
      if not exists (select from pg_roles where rolname = missing) then
        execute format('create role %I nologin noinherit', missing);
      end if;
    end loop;
    if not exists (select from pg_roles where rolname = '${login.name}') then
      create role ${login.name} login noinherit password '${login.password}';
      alter role ${login.name} set statement_timeout = '15s';
      grant anon, authenticated, service_role to ${login.name};
    end if;
  exception when duplicate_object or unique_violation then
    null;
  end
  $$`

/**
 * Creates a database without tables. A test file calls this function in `beforeAll` and drops the database in
 * `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const empty = await createEmptyDatabase()
  const owner = empty.pool
  await owner.query(rolesSql)
  await owner.query('grant usage on schema public to anon, authenticated, service_role')
  const url = new URL(empty.url)
  url.username = login.name
  url.password = login.password
  const database = openDatabase(url.href)
  return {
    database,
    owner,
    url: url.href,
    async drop() {
      await database.close()
      await empty.drop()
    },
  }
}
