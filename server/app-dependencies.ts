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

/** The values and functions that the process, or a test, passes to the app. */
export type AppDependencies = {
  readonly config: Config
  readonly database: Database
  readonly keys: ShopKeys
  /**
   * The connection URL of the role that owns the tables. The nightly job that removes erased data from the database
   * files uses this URL.
   */
  readonly ownerUrl?: string
  /**
   * The folder into which the embedded PostgreSQL copies its write-ahead log. The continuous backup reads the log from
   * this folder.
   */
  readonly spool?: string | undefined
  /** Returns the current time in milliseconds since 1970; tests replace this function. */
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
   * If true, a job links the bookings of visitors to customer records within a second. If false, a database trigger
   * links each booking at the time of its insert.
   */
  readonly linksLater?: boolean
  /**
   * Whether load balancers may send requests to this process. After a stop signal, `main.ts` makes `GET /readyz` return
   * 503.
   */
  readonly readiness?: Readiness
  /**
   * The in-memory cache of rate-limit counters that have reached their limit. The server refuses a request that such a
   * counter counts without a database query. Tests clear the cache.
   */
  readonly refusals?: RefusalMemory
  /** Replaces the configured email transport, so that tests can observe emails and simulate failures. */
  readonly mailTransport?: MailTransport
  /** Replaces the Stripe sandbox, so that tests can observe the requests to it and simulate failures. */
  readonly createSandbox?: PaymentOptions['createSandbox']
  /** Replaces, in tests, the function that sends requests to Stripe's servers. */
  readonly stripeFetch?: PaymentOptions['stripeFetch']
}
