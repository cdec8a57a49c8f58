import { type Client, escapeIdentifier } from 'pg'
import { type Database, queryOf, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { withOwner } from '#server/platform/database/with-owner.ts'

type Cleanup = { readonly table_name: string; readonly requests: number }

/** PostgreSQL's error code for a lock that is not available, because another transaction uses the table. */
const lockNotAvailable = '55P03'

/**
 * Returns the nightly job that removes erased data from the files of the database (docs/product.md 16.9). The job
 * rewrites the files of the affected tables with the database role that owns the tables, and resolves to the number of
 * rewritten tables. When a table is in use, the job tries to rewrite it again a minute later.
 */
export function createFileCleaner(database: Database, ownerUrl: string): () => Promise<number> {
  let isOwnerRecorded = false
  return async () => {
    if (!isOwnerRecorded) await recordOwner(database, ownerUrl)
    isOwnerRecorded = true
    const due = rowsAs<Cleanup>(
      await database.transaction(asServer, (query) =>
        query('select table_name, requests from internal.list_file_cleanups()'),
      ),
    )
    if (due.length === 0) return 0
    return withOwner(ownerUrl, 'clean-files', (client) => cleanTables(database, client, due))
  }
}

async function recordOwner(database: Database, ownerUrl: string): Promise<void> {
  const login = await withOwner(ownerUrl, 'clean-files', async (client) => {
    const query = queryOf(client)
    const [row] = rowsAs<{ login: string }>(await query('select current_user::text as login'))
    return row?.login ?? ''
  })
  await database.transaction(asServer, (query) =>
    query('select internal.record_file_owner($1)', [login]),
  )
}

async function cleanTables(
  database: Database,
  client: Client,
  due: readonly Cleanup[],
): Promise<number> {
  if (await hasOlderWork(client)) return 0
  const written: Cleanup[] = []
  await client.query(`set lock_timeout = '2s'`)
  for (const cleanup of due) {
    if (await rewriteTable(client, cleanup.table_name)) written.push(cleanup)
  }
  if (written.length === 0 || !(await removeFormerFiles(client))) return 0
  await database.transaction(asServer, async (query) => {
    for (const { table_name, requests } of written) {
      await query('select internal.record_file_cleanup($1, $2)', [table_name, requests])
    }
  })
  return written.length
}

/**
 * Whether another transaction is still open. An open transaction may still read the erased data, so PostgreSQL would
 * copy that data into the new file of the table. Writing transactions of every database on the server count; reading
 * transactions count only in this database.
 */
async function hasOlderWork(client: Client): Promise<boolean> {
  const query = queryOf(client)
  const [row] = rowsAs<{ isBusy: boolean }>(
    await query(
      `select exists (
         select from pg_stat_activity
         where pid <> pg_backend_pid()
           and (backend_xid is not null or datname = current_database() and backend_xmin is not null)
       ) as "isBusy"`,
    ),
  )
  return row?.isBusy ?? false
}

/** Rewrites the files of a table. Returns false when the table is in use. */
async function rewriteTable(client: Client, table: string): Promise<boolean> {
  const name = table.split('.').map(escapeIdentifier).join('.')
  return unlessInUse(async () => {
    if (await isSuperuser(client)) await deleteStatistics(client, name)
    await client.query(`vacuum (full, analyze) ${name}`)
  })
}

/**
 * Deletes PostgreSQL's statistics of a table. The statistics contain common column values, and `analyze` does not
 * replace the statistics of an empty table.
 */
async function deleteStatistics(client: Client, table: string): Promise<void> {
  await client.query('delete from pg_catalog.pg_statistic where starelid = $1::regclass', [table])
}

/**
 * The maximum number of checks for other open transactions. If the last check still finds an open transaction, the job
 * tries again a minute later.
 */
const mostChecks = 200

/**
 * Removes the old files of the rewritten tables from the disk with a checkpoint. Also rewrites the table in which
 * PostgreSQL stores its statistics; returns false when that table is in use.
 */
async function removeFormerFiles(client: Client): Promise<boolean> {
  for (let checks = 1; await hasOlderWork(client); checks += 1) {
    if (checks === mostChecks) return false
  }
  return unlessInUse(async () => {
    if (await isSuperuser(client)) await client.query('vacuum full pg_catalog.pg_statistic')
    const query = queryOf(client)
    const [row] = rowsAs<{ may: boolean }>(
      await query(`select pg_has_role('pg_checkpoint', 'usage') as may`),
    )
    if (row?.may) await client.query('checkpoint')
  })
}

async function unlessInUse(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return false
    throw error
  }
}

async function isSuperuser(client: Client): Promise<boolean> {
  const query = queryOf(client)
  const [row] = rowsAs<{ isSuperuser: boolean }>(
    await query(`select current_setting('is_superuser') = 'on' as "isSuperuser"`),
  )
  return row?.isSuperuser ?? false
}
