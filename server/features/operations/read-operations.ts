import type { Operations } from '#contracts/operations.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { countOpenTestInvoices } from '#server/features/payments/provider/count-open-test-invoices.ts'
import { findWarnings } from './find-warnings.ts'
import type { EmailFigures, OperationsSource } from './operations.ts'

export async function readOperations(source: OperationsSource): Promise<Operations> {
  const { database, metrics, mailer, config, stripeConnection } = source
  const { jobs, ...process } = metrics.read()
  const { megabytes, ...counted } = await countInDatabase(database)
  const emails = { mode: mailer.transport.mode, ...counted }
  const warnings = findWarnings({
    config,
    paymentMode: stripeConnection.mode,
    openTestInvoices: await countOpenTestInvoices(database),
    emails,
    jobs,
  })
  return { warnings, emails, database: { megabytes }, process, jobs: [...jobs] }
}

type Counted = Omit<EmailFigures, 'mode'> & { megabytes: number }

function countInDatabase(database: Database): Promise<Counted> {
  return database.transaction(asServer, async (query) => {
    const [row] = rowsAs<Counted>(
      await query(
        `select count(*) filter (where status in ('queued', 'retrying'))::int as waiting,
         coalesce(floor(extract(epoch from now() - min(created_at)
           filter (where status in ('queued', 'retrying'))) / 60), 0)::int as "oldestWaitingMinutes",
         count(*) filter (where status = 'failed' and kind <> 'test_message' and created_at > now() - interval '7 days')::int as failed,
         (select count(*)::int from internal.visitor_emails
           where exceeded_limit in ('site', 'flagged') and created_at > now() - interval '1 day') as "withheld",
         (pg_database_size(current_database()) / 1048576)::int as megabytes
       from public.emails
       where status in ('queued', 'retrying') or created_at > now() - interval '7 days'`,
      ),
    )
    return row ?? { waiting: 0, oldestWaitingMinutes: 0, failed: 0, withheld: 0, megabytes: 0 }
  })
}
