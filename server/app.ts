import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { RenderCustomerPage } from '#contracts/api/customer-pages.ts'
import type { Config } from '#server/config.ts'
import { channels } from '#server/platform/database/channels.ts'
import { connectPayments, type PaymentOptions } from '#server/features/payments/connect-payments.ts'
import { createAuthenticate, openAuth, type Passwords, sweepSessions } from '@local/data-service'
import { limitForms } from '#server/features/form-guard/form-limits.ts'
import { sweepAdminSessions } from '#server/features/admin-session/admin-sessions.ts'
import { sweepKnownBrowsers } from '#server/features/admin-session/sign-in/known-browsers.ts'
import { createLiveSessions } from '#server/features/admin-session/gateway/live-sessions.ts'
import { openAuthGateway } from '#server/features/admin-session/gateway/open-auth-gateway.ts'
import { registerAccountant } from '#server/features/accountant/routes.ts'
import { createPasswordQueues } from '#server/features/admin-session/sign-in/password-queues.ts'
import { createDatabaseHeaders } from '#server/features/data-service/database-headers.ts'
import { registerDataService } from '#server/features/data-service/routes.ts'
import { requireAdmin } from '#server/features/admin-session/require-admin.ts'
import { registerAdminSession } from '#server/features/admin-session/routes.ts'
import type { MailTransport } from '#emails/delivery/mail-transport.ts'
import { registerCalendarFeed } from '#server/features/calendar-feed/routes.ts'
import { registerBookingCommands } from '#server/features/bookings/routes.ts'
import { deleteOldCommands } from '#server/features/commands/run-command.ts'
import { registerQuoteCommands } from '#server/features/quotes/routes.ts'
import { createMailer } from '#server/features/emails/transport/mailer.ts'
import { createServerFunctions } from '#server/features/emails/server-functions.ts'
import { sendAfterRequests } from '#server/features/emails/outbox/send-after-requests.ts'
import { deleteOldVisitorEmails } from '#server/features/emails/outbox/delete-old-visitor-emails.ts'
import { createFormTokens, sweepFormTokens } from '#server/features/form-guard/form-tokens.ts'
import { registerFormGuard } from '#server/features/form-guard/routes.ts'
import { registerLive } from '#server/features/live/routes.ts'
import { registerOperations } from '#server/features/operations/routes.ts'
import { registerOutbox } from '#server/features/outbox/routes.ts'
import { registerCustomers } from '#server/features/customers/routes.ts'
import { registerSetup } from '#server/features/setup/routes.ts'
import { registerSampleWeek } from '#server/features/sample-week/routes.ts'
import { readOnboarding } from '#server/features/onboarding/read-onboarding.ts'
import { registerOnboarding } from '#server/features/onboarding/routes.ts'
import { createEstimateTokens } from '#server/features/estimates/estimate-tokens.ts'
import { registerEstimateActions } from '#server/features/estimates/admin-routes.ts'
import { registerEstimates } from '#server/features/estimates/routes.ts'
import { watchShop } from '#server/features/shop/watch-shop.ts'
import { openSite } from '#server/features/site/open-site.ts'
import { serveSocialPicture } from '#server/features/site/social-picture/serve-social-picture.ts'
import { registerVisitLinks } from '#server/features/visit-links/routes.ts'
import { createAddressTokens } from '#server/features/address-questions/address-tokens.ts'
import { registerAddressQuestions } from '#server/features/address-questions/routes.ts'
import { registerVisitPage } from '#server/features/visit-page/routes.ts'
import { createVisitPageTokens } from '#server/features/visit-page/visit-page-tokens.ts'
import { scheduleJobs } from '#server/jobs/schedule-jobs.ts'
import { type Database, listen } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { serveHealth } from '#server/platform/health/serve-health.ts'
import { sendUnreadable, handleErrors } from '#server/platform/http/errors.ts'
import { countResponses, createMetrics } from '#server/platform/health/metrics.ts'
import { createReadiness, type Readiness } from '#server/platform/health/readiness.ts'
import type { RefusalMemory } from '#server/platform/http/limits/refusal-cache.ts'
import { createRateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { createRequestBuckets, limitFloods } from '#server/platform/http/limits/request-buckets.ts'
import { logOptions, logRequests, type LogStream } from '#server/platform/http/request-log.ts'
import type { ShopKeys } from '#server/platform/keys/open-keys.ts'
import { secureHeaders } from '#server/platform/http/security-headers.ts'
import { servePages } from '#server/platform/http/pages/static-pages.ts'
import { runPeriodically } from '#server/platform/queue/run-periodically.ts'
import { watchHealth } from '#server/platform/health/watch-health.ts'

/** The parts that the process creates and the app uses. */
export type AppDependencies = {
  readonly config: Config
  readonly database: Database
  readonly keys: ShopKeys
  /** The URL of the owner of the tables, for the nightly job that rewrites their files. */
  readonly ownerUrl?: string
  /** The clock, in milliseconds since 1970; tests set it. */
  readonly now: () => number
  /** How passwords are hashed; tests, which sign in often, use a cheaper hash. */
  readonly passwords?: Passwords
  /** The folder of the web build; `dist` by default. */
  readonly siteDirectory?: string
  /** Renders the customer pages instead of the build; tests pass the source. */
  readonly renderCustomerPage?: RenderCustomerPage
  /** The destination of log lines; standard output by default. */
  readonly logStream?: LogStream
  /** Whether a job links visitors' bookings to customers, within a second; otherwise the insert links them. */
  readonly linksLater?: boolean
  /** Whether this process accepts traffic; `main.ts` turns it off when the process stops. */
  readonly readiness?: Readiness
  /** Remembers the used-up rate limits; tests clear it. */
  readonly refusals?: RefusalMemory
  /** Sends emails instead of the configured transport; tests observe it and make it fail. */
  readonly mailTransport?: MailTransport
  /** Replaces the Stripe sandbox; tests observe it and make it fail. */
  readonly createSandbox?: PaymentOptions['createSandbox']
}

/**
 * The number of requests per minute from one client or one staff session. A visitor who looks at every day of the
 * calendar requests each slot, about 700 requests, and a household or an office shares one address.
 */
const floodPerMinute = 1_500

const builtSite = join(import.meta.dirname, '../dist')

/** Builds the HTTP application without a port: tests inject requests. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const {
    config,
    database,
    keys,
    now,
    siteDirectory = builtSite,
    renderCustomerPage,
    logStream,
    mailTransport,
    refusals,
    readiness = createReadiness(),
  } = dependencies
  const { publicUrl, anonKey, hosted } = config
  const app = Fastify({
    ...logOptions({ level: config.logLevel, stream: logStream }),
    trustProxy: config.trustProxy,
    bodyLimit: 256 * 1024,
    frameworkErrors: sendUnreadable,
  })

  const isEnforced = config.rateLimits === 'enforced'
  const limits = createRateLimits({ database, key: keys.clientAddresses, isEnforced, refusals })

  handleErrors(app)
  logRequests(app)
  const metrics = createMetrics(now)
  countResponses(app, metrics)
  secureHeaders(app, publicUrl)
  await app.register(fastifyCookie)
  const liveSessions = createLiveSessions()
  const floods = createRequestBuckets({
    perMinute: floodPerMinute,
    now,
    sessionOf: (request) => liveSessions.sessionOf(request),
  })
  if (isEnforced) limitFloods(app, floods)
  serveHealth(app, watchHealth(app, { database }), readiness)

  const site = await openSite({
    directory: siteDirectory,
    renderCustomerPage,
    publicUrl,
    dataService: { url: hosted?.url ?? '', anonKey },
  })

  // The auth and data API of the embedded backend, for supabase-js in the browser. A hosted project serves its own.
  const auth = await openAuth({ ...dependencies, publicUrl })
  const authenticate = createAuthenticate({
    auth,
    anonKey,
    headersOf: createDatabaseHeaders({
      addressKey: keys.clientAddresses,
      isEnforced,
      linksLater: dependencies.linksLater,
    }),
    recordSession: (request, isOpen) => liveSessions.note(request, 'access token', isOpen),
  })
  const report = (error: unknown, what: string) => app.log.error({ err: error }, what)
  const notifications = listen(database, channels, (error) =>
    report(error, 'notifications of the database are interrupted'),
  )
  app.addHook('onClose', () => notifications.stop())
  const shop = await watchShop({ database, notifications, onChange: site.render, report })
  app.addHook('onClose', async () => shop.stop())
  const { currentShop } = shop
  const mailer = createMailer({
    ...dependencies,
    currentShop,
    log: app.log,
    transport: mailTransport,
  })
  sendAfterRequests(app, mailer)
  const passwordQueues = createPasswordQueues()
  if (!hosted) {
    const functions = createServerFunctions({
      database,
      currentShop,
      mailer,
      publicUrl,
      isCapped: isEnforced,
    })
    limitForms(app, { limits, authenticate })
    registerDataService(app, {
      database,
      auth,
      authenticate,
      passwordQueue: passwordQueues.unknown,
      limits,
      functions,
      publicUrl,
      ...(isEnforced && {
        spend: (request, tokens) => floods.consume(request, tokens),
      }),
    })
  }

  // The shop's own API under /api.
  const gateway = openAuthGateway(config, auth, passwordQueues)
  const mailMode = mailer.transport.mode
  const processState = { canSendEmail: mailMode !== 'outbox', payments: config.payments.mode }
  registerAdminSession(app, {
    database,
    now,
    publicUrl,
    gateway,
    limits,
    liveSessions,
    readOnboarding: () =>
      database.transaction(asServer, (query) => readOnboarding(query, processState)),
  })
  registerFormGuard(app, { tokens: await createFormTokens(database), limits })
  await registerVisitPage(app, {
    database,
    mailer,
    tokens: createVisitPageTokens(database),
    limits,
    sendCustomerPage: site.sendCustomerPage,
    currentShop,
    publicUrl,
    ownerEmail: config.mail.owner,
    isCapped: isEnforced,
  })
  await registerEstimates(app, {
    database,
    mailer,
    estimateIdOf: createEstimateTokens(database),
    limits,
    sendCustomerPage: site.sendCustomerPage,
    currentShop,
    publicUrl,
    ownerEmail: config.mail.owner,
  })
  await registerAddressQuestions(app, {
    database,
    bookingIdOf: createAddressTokens(database),
    limits,
    sendCustomerPage: site.sendCustomerPage,
    currentShop,
    publicUrl,
  })
  await registerVisitLinks(app, {
    database,
    limits,
    sendCustomerPage: site.sendCustomerPage,
    currentShop,
    publicUrl,
  })
  const onlyAdmin = requireAdmin({ database, now, publicUrl, liveSessions })
  const { createSandbox } = dependencies
  const payments = await connectPayments(app, {
    config,
    database,
    keys,
    now,
    limits,
    currentShop,
    canSendEmail: processState.canSendEmail,
    onlyAdmin,
    createSandbox,
  })
  registerOutbox(app, { database, mailer, currentShop, mailFrom: config.mail.from, onlyAdmin })
  registerEstimateActions(app, { database, currentShop, publicUrl, mailer, now, onlyAdmin })
  registerBookingCommands(app, { database, currentShop, publicUrl, now, onlyAdmin })
  registerQuoteCommands(app, { database, currentShop, mailer, now, onlyAdmin })
  const outboxFolder = join(config.dataDirectory, 'outbox')
  registerCustomers(app, { ...payments, now, limits, outboxFolder, onlyAdmin })
  registerAccountant(app, { database, stripe: payments.stripe, limits, onlyAdmin })
  registerLive(app, { database, now, notifications, onlyAdmin, farewell: readiness.farewell })
  registerCalendarFeed(app, { database, currentShop, publicUrl, limits, onlyAdmin })
  registerOperations(app, { config, database, metrics, mailMode, onlyAdmin })
  registerSetup(app, { config, database, mailer, currentShop, limits, onlyAdmin })
  registerOnboarding(app, { database, processState, onlyAdmin })
  const arePaymentsLive = config.payments.mode === 'stripe'
  registerSampleWeek(app, { payments, arePaymentsLive, onlyAdmin })
  scheduleJobs(app, {
    database,
    mailer,
    payments,
    metrics,
    currentShop,
    publicUrl,
    ownerUrl: dependencies.ownerUrl,
    outboxFolder,
    isCapped: isEnforced,
    linksLater: dependencies.linksLater && !hosted,
  })
  runPeriodically(app, [
    () => limits.sweep(),
    () => sweepAdminSessions(database, now()),
    () => sweepKnownBrowsers(database, now()),
    () => sweepFormTokens(database),
    () => deleteOldVisitorEmails(database),
    () => deleteOldCommands(database),
    ...(hosted ? [] : [() => sweepSessions(auth)]),
  ])

  serveSocialPicture(app, currentShop)
  await servePages(app, site.served)
  return app
}
