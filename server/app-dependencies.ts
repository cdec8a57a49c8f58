import type { RenderCustomerPage } from '#contracts/api/customer-pages.ts'
import type { Passwords } from '@local/data-service'
import type { Database } from '@local/postgres'
import type { MailTransport } from '#emails/delivery/mail-transport.ts'
import type { Config } from '#server/config.ts'
import type { PaymentOptions } from '#server/features/payments/open-payments.ts'
import type { Readiness } from '#server/platform/health/readiness.ts'
import type { RefusalMemory } from '#server/platform/http/limits/refusal-cache.ts'
import type { LogStream } from '#server/platform/http/request-log.ts'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'

/** The dependencies of the app, which the process creates. */
export type AppDependencies = {
  readonly config: Config
  readonly database: Database
  readonly keys: ShopKeys
  /** The connection URL of the table owner, for the nightly job that rewrites table files. */
  readonly ownerUrl?: string
  /** The folder into which the embedded PostgreSQL copies its write-ahead log for the backup. */
  readonly spool?: string | undefined
  /** The clock, in milliseconds since 1970; tests set it. */
  readonly now: () => number
  /** The hash function for passwords; tests, which sign in often, use a cheaper one. */
  readonly passwords?: Passwords
  /** The folder of the web build; `dist` by default. */
  readonly siteDirectory?: string
  /**
   * Renders the customer pages; by default the web build renders them. Tests pass the renderer from the source code.
   */
  readonly renderCustomerPage?: RenderCustomerPage
  /** The destination of log lines; standard output by default. */
  readonly logStream?: LogStream
  /**
   * If true, a job links the bookings of visitors to customer records within a second; if false, the insert of a
   * booking links it.
   */
  readonly linksLater?: boolean
  /** Whether this process accepts traffic; `main.ts` makes the process refuse traffic when it stops. */
  readonly readiness?: Readiness
  /** The in-memory cache of exhausted rate limits; tests clear the cache. */
  readonly refusals?: RefusalMemory
  /** Replaces the configured email transport, so that tests can observe emails and simulate failures. */
  readonly mailTransport?: MailTransport
  /** Replaces the Stripe sandbox, so that tests can observe its calls and simulate failures. */
  readonly createSandbox?: PaymentOptions['createSandbox']
  /** Replaces the function that sends requests to Stripe's servers, in tests. */
  readonly stripeFetch?: PaymentOptions['stripeFetch']
}
