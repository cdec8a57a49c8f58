import type { JobFigures } from '#server/platform/health/metrics.ts'
import type { PaymentMode } from '#server/features/payments/stripe.ts'
import { isOnSameDisk } from '#server/platform/backup/start-backup.ts'
import type { EmailFigures, OperationsSource } from './operations.ts'

type WarningInput = {
  readonly config: OperationsSource['config']
  readonly paymentMode: PaymentMode
  /** The number of sandbox invoices with an unpaid balance. */
  readonly openTestInvoices: number
  readonly emails: EmailFigures
  readonly jobs: readonly JobFigures[]
}

/**
 * A mail server outage that is shorter than this number of minutes causes no warning, because every email is
 * retried.
 */
const toleratedMinutes = 30

/** Returns for each problem a text that names the problem and states what the owner must do. */
export function findWarnings(input: WarningInput): string[] {
  const { config, paymentMode, openTestInvoices, emails, jobs } = input
  const isLive = config.environment === 'production'
  const isSecure = config.publicUrl.startsWith('https:')
  const found: [boolean, string][] = [
    [
      paymentMode === 'sandbox',
      'Payments are in test mode: no money moves. Enter a Stripe key under Settings > Payments, or set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, to charge cards.',
    ],
    [
      paymentMode === 'not_set_up',
      'Payments are not set up: customers cannot pay online, and no invoice can be created. Enter a Stripe key under Settings > Payments.',
    ],
    [
      paymentMode === 'stripe' && openTestInvoices > 0,
      `Test invoices of the sandbox are still open (${openTestInvoices}), although the shop charges real cards. Void each one, or record its payment, under Invoices.`,
    ],
    [
      emails.mode === 'outbox',
      'Emails are not sent, but stored in the folder outbox of DATA_DIR. Set up a mail server under Settings > Email, or set SMTP_URL or RESEND_API_KEY.',
    ],
    [
      emails.mode !== 'outbox' && emails.oldestWaitingMinutes >= toleratedMinutes,
      `${count(emails.waiting)} in the queue, the oldest for ${emails.oldestWaitingMinutes} minutes. Check the mail server and the email settings. The emails are sent automatically once the mail server works.`,
    ],
    [
      emails.failed > 0,
      `${count(emails.failed)} of the last seven days could not be delivered. Open the outbox in the dashboard, and resend each email or call the customer.`,
    ],
    [
      emails.withheld > 0,
      `${count(emails.withheld)} to visitors not sent in the last day: the limit on confirmation emails was reached, probably by automated requests. The appointments and quote requests were saved. Check the newest appointments and requests in the dashboard, and call the real customers.`,
    ],
    [
      isLive && !isSecure,
      'PUBLIC_URL does not begin with https, so passwords and sessions are sent unencrypted. Put a reverse proxy with TLS in front of this server (see docs/deployment).',
    ],
    [
      isLive && isSecure && config.trustProxy === false,
      'TRUST_PROXY is not set, so all visitors behind your reverse proxy count as one client and share its limits, including the limit of 64 connections. Set TRUST_PROXY to the address of the proxy.',
    ],
    [
      config.backup === undefined && config.hosted !== undefined,
      'This site makes no backup, so only the backups of the hosted Supabase project protect the records. Set BACKUP_URL to a folder on another disk or to a bucket for a nightly copy elsewhere.',
    ],
    [
      config.backup === undefined && config.hosted === undefined,
      'Backups are not set up: if this server fails, all records that you did not copy elsewhere are lost. Set BACKUP_URL to a folder on another disk or to a bucket.',
    ],
    [
      config.backup !== undefined && isOnSameDisk(config.backup.url, config.dataDirectory),
      "The backup is on the disk of DATA_DIR, so a failure of that disk destroys both the shop's data and the backup. Set BACKUP_URL to a folder on another disk or to a bucket.",
    ],
    ...jobs.map(({ name, lastFailed }): [boolean, string] => [
      lastFailed,
      `The last run of the job ${name} failed. The log contains the reason (search for "a job failed"). The job runs again automatically.`,
    ]),
  ]
  return found.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

const count = (emails: number) => (emails === 1 ? '1 email' : `${emails} emails`)
