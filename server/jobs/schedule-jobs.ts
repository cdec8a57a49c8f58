import type { FastifyInstance } from 'fastify'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { askAboutAddresses } from '#server/features/address-questions/send-address-questions.ts'
import { cleanAudit } from '#server/features/audit/clean-audit.ts'
import { backfillInvoices } from '#server/features/invoices/records/backfill-invoices.ts'
import { notifyApprovals } from '#server/features/estimates/notify-approvals.ts'
import { collectOwnerNotices } from '#server/features/emails/owner-notices/collect-owner-notices.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { checkInvoiceNumbers } from '#server/features/invoices/records/check-invoice-numbers.ts'
import { billClaimed } from '#server/features/invoices/estimates/bill-estimate.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import type { ProviderConnection } from '#server/features/payments/provider/connect-provider.ts'
import { makeReplacements } from '#server/features/payments/reports/make-replacements.ts'
import { reportToStripe } from '#server/features/payments/reports/report-to-stripe.ts'
import { reconcilePayments } from '#server/features/payments/settlement/reconcile-payments.ts'
import { createFileCleaner } from '#server/features/customers/clean-files.ts'
import { redactExpiredRecords } from '#server/features/customers/redact-expired-records.ts'
import { createNewRecordLinker } from '#server/features/customers/link-new-records.ts'
import { backfillCustomers } from '#server/features/customers/backfill-customers.ts'
import { remindCustomers } from '#server/features/reminders/remind-customers.ts'
import { keepBayHours } from '#server/features/shop/extend-bay-hours.ts'
import { sendRequestedLinks } from '#server/features/visit-links/send-requested-links.ts'
import { endExpiredHolds } from '#server/features/visit-page/end-expired-holds.ts'
import type { Database } from '@local/postgres'
import type { Metrics } from '#server/platform/health/metrics.ts'
import { failureFields } from '#server/features/payments/stripe.ts'
import { type Job, type RunningJobs, runJobs } from './run-jobs.ts'

type Dependencies = {
  /**
   * Starts the nightly restore drill (a test that restores the backup) when the drill is due; undefined without a
   * continuous backup.
   */
  readonly scheduleDrill?: (() => Promise<void>) | undefined
  readonly database: Database
  readonly mailer: Mailer
  readonly payments: PaymentContext
  readonly keepProvider: ProviderConnection['keepProvider']
  readonly metrics: Metrics
  readonly currentShop: CurrentShop
  /** The public URL of the site. */
  readonly publicUrl: string
  /**
   * The connection URL of the role that owns the tables. Without this URL, no job removes erased data from the database
   * files.
   */
  readonly ownerUrl?: string | undefined
  /** The folder that stores emails as files when no mail server is configured. */
  readonly outboxFolder: string
  /** Whether the limits on visitor-triggered emails apply. */
  readonly isCapped: boolean
  /**
   * If true, a job links the bookings of visitors to customer records; if false, a database trigger links each
   * booking when it is inserted.
   */
  readonly linksLater?: boolean | undefined
}

type ShopJob = Job & {
  /** Whether the job calls the payment provider; such a job does nothing while payments are not set up. */
  readonly callsProvider?: boolean
}

/** During a run, a job calls only the payment provider that the shop used when the run began. */
const withProvider =
  ({ payments, keepProvider }: Dependencies) =>
  ({ callsProvider = false, ...job }: ShopJob): Job => ({
    ...job,
    run: (signal) =>
      keepProvider(async () => {
        if (callsProvider && payments.paymentMode() === 'not_set_up') return undefined
        return job.run(signal)
      }),
  })

/** Runs the periodic jobs of the shop, from when the app is ready until it closes. */
export function scheduleJobs(app: FastifyInstance, dependencies: Dependencies): void {
  const {
    database,
    mailer,
    payments,
    metrics,
    currentShop,
    publicUrl,
    ownerUrl,
    outboxFolder,
    isCapped,
    linksLater,
    scheduleDrill,
  } = dependencies
  const jobs: ShopJob[] = [
    { name: 'send-emails', everySeconds: 15, run: (signal) => mailer.deliverDue(signal) },
    {
      name: 'collect-owner-notices',
      everySeconds: 60,
      run: () => collectOwnerNotices(database, payments),
    },
    { name: 'end-holds', everySeconds: 60, run: () => endExpiredHolds(database) },
    {
      name: 'link-old-records',
      everySeconds: 60,
      run: (signal) => backfillCustomers(database, signal),
    },
    { name: 'keep-bay-hours', everySeconds: 3600, run: () => keepBayHours(database) },
    ...(linksLater
      ? [
          {
            name: 'link-new-records',
            everySeconds: 0.5,
            isUrgent: true,
            run: createNewRecordLinker(database),
          },
        ]
      : []),
    { name: 'clean-audit', everySeconds: 3600, run: () => cleanAudit(database) },
    {
      name: 'end-retention',
      everySeconds: 3600,
      run: () => redactExpiredRecords(database, outboxFolder),
    },
    ...(ownerUrl === undefined
      ? []
      : [{ name: 'clean-files', everySeconds: 60, run: createFileCleaner(database, ownerUrl) }]),
    ...(scheduleDrill === undefined
      ? []
      : [{ name: 'start-drills', everySeconds: 60, run: scheduleDrill }]),
    {
      name: 'link-old-invoices',
      callsProvider: true,
      everySeconds: 60,
      run: (signal) => backfillInvoices(payments, signal),
    },
    {
      name: 'answer-link-requests',
      everySeconds: 15,
      run: () => sendRequestedLinks({ database, shop: currentShop(), publicUrl, isCapped }),
    },
    {
      name: 'remind-customers',
      everySeconds: 60,
      run: () => remindCustomers({ database, shop: currentShop(), publicUrl }),
    },
    {
      name: 'ask-about-addresses',
      everySeconds: 60,
      run: () => askAboutAddresses({ database, shop: currentShop(), publicUrl }),
    },
    {
      name: 'bill-claimed',
      callsProvider: true,
      everySeconds: 60,
      run: () =>
        billClaimed(payments, (requestId, error) =>
          app.log.error({ ...failureFields(error), requestId }, 'an estimate could not be billed'),
        ),
    },
    {
      name: 'notify-approvals',
      everySeconds: 60,
      run: () => notifyApprovals({ database, currentShop, publicUrl }),
    },
    {
      // This job also runs while payments are not set up, because changes of existing sandbox invoices must still be
      // reported to the sandbox (the built-in test payment provider).
      name: 'report-to-stripe',
      everySeconds: 15,
      run: () =>
        reportToStripe(payments, (reportId, error) =>
          app.log.error(
            { ...failureFields(error), reportId },
            'A change of an invoice or payment could not be reported to Stripe',
          ),
        ),
    },
    {
      name: 'make-replacement-invoices',
      callsProvider: true,
      everySeconds: 15,
      run: () =>
        makeReplacements(payments, (requestId, error) =>
          app.log.error(
            { ...failureFields(error), requestId },
            'a replacement invoice could not be made',
          ),
        ),
    },
    {
      name: 'reconcile-payments',
      callsProvider: true,
      everySeconds: 600,
      run: () =>
        reconcilePayments(payments, (invoiceId, error) =>
          app.log.error({ ...failureFields(error), invoiceId }, 'a payment could not be settled'),
        ),
    },
    {
      name: 'check-invoice-numbers',
      callsProvider: true,
      everySeconds: 600,
      run: () => checkInvoiceNumbers(payments),
    },
  ]
  let running: RunningJobs | undefined
  // The jobs start only when the app is ready. A job may change the sandbox (the built-in test payment provider), which
  // then sends an event to a route of the app. Before the app is ready, the event would end the registration of routes.
  app.addHook('onReady', async () => {
    // A restored shop reads the newest invoice numbers from Stripe before a request or a job can create an invoice.
    if (payments.paymentMode() !== 'not_set_up') await checkInvoiceNumbers(payments)
    running = runJobs(jobs.map(withProvider(dependencies)), {
      database,
      report: (job, error) => app.log.error({ err: error, job }, 'a job failed'),
      note: (job, ms, failed) => metrics.recordJob(job, ms, failed),
    })
  })
  app.addHook('onClose', () => running?.stop())
}
