import type { Operations } from '#contracts/operations.ts'
import type { Config } from '#server/config.ts'
import type { StripeConnection } from '#server/features/payments/stripe.ts'
import type { Database } from '@local/postgres'
import type { Metrics } from '#server/platform/health/metrics.ts'

export type EmailFigures = Operations['emails']

export type OperationsSource = {
  readonly config: Pick<
    Config,
    'environment' | 'publicUrl' | 'trustProxy' | 'backup' | 'hosted' | 'dataDirectory'
  >
  readonly stripeConnection: Pick<StripeConnection, 'mode'>
  readonly database: Database
  readonly metrics: Metrics
  readonly mailer: { readonly transport: { readonly mode: EmailFigures['mode'] } }
}
