import type { Config } from '#server/config.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { JobFigures, Metrics } from '#server/platform/health/metrics.ts'
import { findWarnings } from './find-warnings.ts'

/** How the shop's machinery is doing. */
export type Operations = {
  /** What the owner should look at, whole sentences with what to do; empty when all is well. */
  readonly warnings: readonly string[]
  readonly emails: EmailFigures
  readonly database: { readonly megabytes: number }
  readonly process: Omit<ReturnType<Metrics['read']>, 'jobs'>
  /** Of this process. */
  readonly jobs: readonly JobFigures[]
}

export type EmailFigures = {
  /** 'outbox': nothing leaves. */
  readonly mode: 'smtp' | 'resend' | 'outbox'
  /** Written and not yet taken by the mail server. */
  readonly waiting: number
  /** How long the oldest of those has been waiting. */
  readonly oldestWaitingMinutes: number
  /** Given up in the last seven days. */
  readonly failed: number
  /** Confirmations of the last day that were not written: more were asked for than people would. */
  readonly keptBack: number
}

export type OperationsSource = {
  readonly config: Pick<Config, 'environment' | 'payments' | 'publicUrl' | 'trustProxy'>
  readonly database: Database
  readonly metrics: Metrics
  readonly mailMode: EmailFigures['mode']
}

export async function readOperations(source: OperationsSource): Promise<Operations> {
  const { database, metrics, mailMode, config } = source
  const { jobs, ...process } = metrics.read()
  const { megabytes, ...counted } = await countInDatabase(database)
  const emails = { mode: mailMode, ...counted }
  const warnings = findWarnings({ config, emails, jobs })
  return { warnings, emails, database: { megabytes }, process, jobs }
}

type Counted = Omit<EmailFigures, 'mode'> & { megabytes: number }

function countInDatabase(database: Database): Promise<Counted> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query<Counted>(
      `select count(*) filter (where status in ('queued', 'retrying'))::int as waiting,
         coalesce(floor(extract(epoch from now() - min(created_at)
           filter (where status in ('queued', 'retrying'))) / 60), 0)::int as "oldestWaitingMinutes",
         count(*) filter (where status = 'failed' and created_at > now() - interval '7 days')::int as failed,
         (select count(*)::int from internal.visitor_letters
           where refused_because in ('site', 'flagged') and created_at > now() - interval '1 day') as "keptBack",
         (pg_database_size(current_database()) / 1048576)::int as megabytes
       from public.emails
       where status in ('queued', 'retrying') or created_at > now() - interval '7 days'`,
    )
    return row ?? { waiting: 0, oldestWaitingMinutes: 0, failed: 0, keptBack: 0, megabytes: 0 }
  })
}
