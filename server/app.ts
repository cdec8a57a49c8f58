import Fastify, { type FastifyInstance } from 'fastify'
import { sweepSessions } from '@local/data-service'
import type { AppDependencies } from '#server/app-dependencies.ts'
import { registerAccountant } from '#server/features/accountant/routes.ts'
import { createAddressTokens } from '#server/features/address-questions/address-tokens.ts'
import { registerAddressQuestions } from '#server/features/address-questions/routes.ts'
import { sweepAdminSessions } from '#server/features/admin-session/admin-sessions.ts'
import { registerAdminSession } from '#server/features/admin-session/routes.ts'
import { sweepChallenges } from '#server/features/admin-session/passkeys/challenges.ts'
import { sweepPendingSignIns } from '#server/features/admin-session/code-app/pending-sign-ins.ts'
import { registerCodeApp } from '#server/features/admin-session/code-app/routes.ts'
import { registerPasskeys } from '#server/features/admin-session/passkeys/routes.ts'
import { registerTablets } from '#server/features/admin-session/tablets/routes.ts'
import { sweepKnownBrowsers } from '#server/features/admin-session/sign-in/known-browsers.ts'
import { registerAudit } from '#server/features/audit/routes.ts'
import { createBackupReport } from '#server/features/backup/backup-report.ts'
import { createDrillSchedule } from '#server/features/backup/schedule-drills.ts'
import { registerBackup } from '#server/features/backup/routes.ts'
import { registerBookingCommands } from '#server/features/bookings/routes.ts'
import { registerCounter } from '#server/features/payments/counter/routes.ts'
import { registerCalendarFeed } from '#server/features/calendar-feed/routes.ts'
import { deleteOldCommands } from '#server/features/commands/run-command.ts'
import { registerDayClose } from '#server/features/day-close/routes.ts'
import { registerCustomers } from '#server/features/customers/routes.ts'
import { registerDataService } from '#server/features/data-service/routes.ts'
import { deleteOldVisitorEmails } from '#server/features/emails/outbox/delete-old-visitor-emails.ts'
import { createServerFunctions } from '#server/features/emails/server-functions.ts'
import { registerEstimateActions } from '#server/features/estimates/admin-routes.ts'
import { createEstimateTokens } from '#server/features/estimates/estimate-tokens.ts'
import { registerEstimates } from '#server/features/estimates/routes.ts'
import { createFormTokens } from '#server/features/form-guard/form-tokens.ts'
import { registerFormGuard } from '#server/features/form-guard/routes.ts'
import { registerInvoiceLinks } from '#server/features/invoices/links/routes.ts'
import { registerInvoices } from '#server/features/invoices/invoice-routes.ts'
import { registerLive } from '#server/features/live/routes.ts'
import { registerOnboarding } from '#server/features/onboarding/routes.ts'
import { registerOperations } from '#server/features/operations/routes.ts'
import { registerProfile } from '#server/features/profile/routes.ts'
import { registerOutbox } from '#server/features/outbox/routes.ts'
import { registerPayments, registerSandboxPages } from '#server/features/payments/payment-routes.ts'
import { registerQuoteCommands } from '#server/features/quotes/routes.ts'
import { registerSampleWeek } from '#server/features/sample-week/routes.ts'
import { registerSetup } from '#server/features/setup/routes.ts'
import { serveSocialPicture } from '#server/features/site/social-picture/serve-social-picture.ts'
import { registerJoinPage } from '#server/features/team/join-page.ts'
import { registerTeam } from '#server/features/team/routes.ts'
import { registerVisitLinks } from '#server/features/visit-links/routes.ts'
import { registerVisitPage } from '#server/features/visit-page/routes.ts'
import { createVisitPageTokens } from '#server/features/visit-page/visit-page-tokens.ts'
import { scheduleJobs } from '#server/jobs/schedule-jobs.ts'
import { createReadiness } from '#server/platform/health/readiness.ts'
import { serveHealth } from '#server/platform/health/serve-health.ts'
import { watchHealth } from '#server/platform/health/watch-health.ts'
import { sendUnreadable } from '#server/platform/http/errors.ts'
import { servePages } from '#server/platform/http/pages/static-pages.ts'
import { logOptions } from '#server/platform/http/request-log.ts'
import { runPeriodically } from '#server/platform/queue/run-periodically.ts'
import { applyRequestRules } from './apply-request-rules.ts'
import { openServices, type Services } from './open-services.ts'

/** Builds the HTTP application without listening on a port, so that tests can inject requests. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, database, logStream, readiness = createReadiness() } = dependencies
  const app = Fastify({
    ...logOptions({ level: config.logLevel, stream: logStream }),
    trustProxy: config.trustProxy,
    bodyLimit: 256 * 1024,
    frameworkErrors: sendUnreadable,
  })
  const rules = await applyRequestRules(app, dependencies)
  const watch = watchHealth(app, { database })
  const services = await openServices(app, rules, dependencies)
  serveHealth(app, { watch, readiness, reportBackup: createBackupReport(services) })
  if (!config.hosted) void app.register(dataService, services)
  for (const feature of features) void app.register(feature, services)
  void app.register(registerLive, { ...services, farewell: readiness.farewell })
  scheduleJobs(app, {
    ...services,
    payments: services.context,
    scheduleDrill:
      config.backup && createDrillSchedule({ ...services, drillAt: config.backup.drillAt }),
  })
  runPeriodically(app, sweeps(services))
  await servePages(app, services.site.served)
  return app
}

type Feature = (app: FastifyInstance, services: Services) => void | Promise<void>

/**
 * The auth API and the REST API of this server, for supabase-js in the browser. A hosted Supabase project has its own
 * auth API and REST API.
 */
const dataService: Feature = (app, services) =>
  registerDataService(app, {
    ...services,
    passwordQueue: services.passwordQueues.unknown,
    functions: createServerFunctions(services),
    ...(services.isCapped && {
      spend: (request, tokens) => services.floods.consume(request, tokens),
    }),
  })

/** The plugins of the features. Each plugin declares its routes with their schema, rights and rate limit. */
const features: readonly Feature[] = [
  // Pages of visitors.
  (app, services) =>
    registerVisitPage(app, {
      ...services,
      tokens: createVisitPageTokens(services.database),
      sendCustomerPage: services.site.sendCustomerPage,
    }),
  (app, services) =>
    registerEstimates(app, {
      ...services,
      estimateIdOf: createEstimateTokens(services.database),
      sendCustomerPage: services.site.sendCustomerPage,
    }),
  (app, services) =>
    registerAddressQuestions(app, {
      ...services,
      bookingIdOf: createAddressTokens(services.database),
      sendCustomerPage: services.site.sendCustomerPage,
    }),
  (app, services) =>
    registerVisitLinks(app, { ...services, sendCustomerPage: services.site.sendCustomerPage }),
  (app, services) =>
    registerInvoiceLinks(app, { ...services, sendCustomerPage: services.site.sendCustomerPage }),
  (app, services) =>
    registerJoinPage(app, { ...services, sendCustomerPage: services.site.sendCustomerPage }),
  registerSandboxPages,
  (app, { currentShop }) => serveSocialPicture(app, currentShop),
  // The routes of the shop's own API under /api.
  async (app, { database }) => registerFormGuard(app, { tokens: await createFormTokens(database) }),
  registerAdminSession,
  registerPasskeys,
  registerCodeApp,
  registerTablets,
  registerProfile,
  registerAudit,
  registerInvoices,
  registerPayments,
  registerCounter,
  registerOutbox,
  registerEstimateActions,
  registerBookingCommands,
  registerQuoteCommands,
  registerDayClose,
  registerCustomers,
  registerAccountant,
  registerCalendarFeed,
  registerOperations,
  registerBackup,
  registerTeam,
  registerSetup,
  registerOnboarding,
  (app, services) => registerSampleWeek(app, services.context),
]

/**
 * The functions that delete expired data, such as ended sign-in sessions and old rate-limit counters; the app runs them
 * periodically.
 */
const sweeps = ({ config, database, limits, now, auth }: Services) => [
  () => limits.sweep(),
  () => sweepAdminSessions(database),
  () => sweepKnownBrowsers(database, now()),
  () => sweepChallenges(database),
  () => sweepPendingSignIns(database),
  () => deleteOldVisitorEmails(database),
  () => deleteOldCommands(database),
  ...(config.hosted ? [] : [() => sweepSessions(auth)]),
]
