import type { Client } from 'pg'
import { queryOf, rowsAs } from '@local/postgres'

/**
 * The provider of the auth service of a database. 'own' is this site. 'hosted' is a hosted Supabase project, in which
 * the schema `auth` contains tables of other services.
 */
export type Backend = 'own' | 'hosted'

export type Table = {
  /** The quoted name. */
  readonly name: string
  /** The writable columns of a table, quoted and separated by commas. */
  readonly columns: string
  /**
   * The SQL expression from which a backup reads the rows of a table: the name of the table, except for the accounts
   * of a hosted Supabase project.
   */
  readonly source: string
}

/**
 * The query for the tables and sequences of the shop. Excludes those of PostgreSQL and of extensions, and unlogged
 * tables (rate limits), which a crash may empty. `$1` limits the result to the named schemas.
 */
const ofShop = `
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relpersistence = 'p'
    and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'extensions', 'supabase_migrations')
    and ($1::text[] is null or n.nspname = any ($1))
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/**
 * The schemas of the shop in a hosted Supabase project. Every other schema of the project belongs to a service of
 * the provider, and may contain sign-in sessions, tokens and keys.
 */
const schemasOf: Readonly<Record<Backend, readonly string[] | null>> = {
  own: null,
  hosted: ['public', 'internal', 'stripe_sandbox'],
}

/**
 * The accounts of staff in a hosted Supabase project, as rows of the embedded table `auth.users`, into which a restore
 * inserts them. Every other column and table of the project's auth service is omitted: password hashes (which this site
 * cannot verify), one-time tokens, sign-in sessions, second factors, and users without a staff account.
 */
const hostedAccounts: Table = {
  name: 'auth.users',
  columns:
    'id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, last_sign_in_at, banned_until',
  source: `(
    select id, email::text as email, null::text as encrypted_password,
      jsonb_strip_nulls(jsonb_build_object(
        'role', raw_app_meta_data -> 'role', 'username', raw_app_meta_data -> 'username')) as raw_app_meta_data,
      '{}'::jsonb as raw_user_meta_data,
      coalesce(created_at, 'epoch') as created_at, coalesce(updated_at, created_at, 'epoch') as updated_at,
      last_sign_in_at, banned_until
    from auth.users
    where deleted_at is null and id in (select user_id from public.staff_accounts))`,
}

/** Lists the tables of a database with the embedded `auth` schema. */
export const listTables = (client: Client): Promise<Table[]> => listTablesOf(client, 'own')

/** Lists the tables from which a backup of this database reads. */
export async function listTablesOf(client: Client, backend: Backend): Promise<Table[]> {
  const query = queryOf(client)
  const tables = rowsAs<Table>(
    await query(
      `
    select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', n.nspname, c.relname) as source,
      (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    ${ofShop} and c.relkind = 'r' order by name`,
      [schemasOf[backend]],
    ),
  )
  return backend === 'hosted' ? [hostedAccounts, ...tables] : tables
}

/** Lists the sequences of the shop by their quoted names. */
export async function listSequences(client: Client, backend: Backend): Promise<string[]> {
  const query = queryOf(client)
  const sequences = rowsAs<{ name: string }>(
    await query(
      `select format('%I.%I', n.nspname, c.relname) as name ${ofShop} and c.relkind = 'S' order by name`,
      [schemasOf[backend]],
    ),
  )
  return sequences.map(({ name }) => name)
}
