import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { JobFigures, Metrics } from '#server/platform/health/metrics.ts'

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
