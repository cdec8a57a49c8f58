import type { JobFigures } from '#server/platform/health/metrics.ts'
import { isOnSameDisk } from '#server/platform/backup/start-backup.ts'
import type { EmailFigures, OperationsSource } from './operations.ts'

type WarningInput = {
  readonly config: OperationsSource['config']
  readonly emails: EmailFigures
  readonly jobs: readonly JobFigures[]
}

/** A shorter outage of the mail server causes no warning, because every message is tried again. */
const toleratedMinutes = 30

/** Returns a sentence for each problem, which also says what to do. */
export function findWarnings({ config, emails, jobs }: WarningInput): string[] {
  const isLive = config.environment === 'production'
  const isSecure = config.publicUrl.startsWith('https:')
  const found: [boolean, string][] = [
    [
      config.payments.mode === 'sandbox',
      'Payments are in test mode: no money moves. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to charge cards.',
    ],
    [
      emails.mode === 'outbox',
      'Emails are not sent. They are kept in the folder outbox of DATA_DIR. Set up a mail server under Settings > Email, or set SMTP_URL or RESEND_API_KEY.',
    ],
    [
      emails.mode !== 'outbox' && emails.oldestWaitingMinutes >= toleratedMinutes,
      `${count(emails.waiting)} in the queue, the oldest for ${emails.oldestWaitingMinutes} minutes. Check the mail server and its settings; they are sent automatically once it works.`,
    ],
    [
      emails.failed > 0,
      `${count(emails.failed)} of the last seven days could not be delivered. Look at them in the outbox of the dashboard: send them again, or call the customer.`,
    ],
    [
      emails.withheld > 0,
      `${count(emails.withheld)} to visitors not sent in the last day, because more confirmations were requested than real customers request. The appointments and quote requests were saved. Check the newest ones in the dashboard and call the real customers.`,
    ],
    [
      isLive && !isSecure,
      'PUBLIC_URL does not begin with https, so passwords and sessions are sent unencrypted. Put a reverse proxy with TLS in front (docs/deployment).',
    ],
    [
      isLive && isSecure && config.trustProxy === false,
      'TRUST_PROXY is not set, so all visitors behind your reverse proxy count as one client and share its limits, including the limit of 64 connections. Set it to the address of the proxy.',
    ],
    [
      config.backup === undefined && config.hosted === undefined,
      'Backups are not set up: if this machine burns, only what you copied elsewhere yourself is left. Set BACKUP_URL to a folder on another disk or to a bucket.',
    ],
    [
      config.backup !== undefined && isOnSameDisk(config.backup.url, config.dataDirectory),
      'The backup is on the disk of DATA_DIR, so it does not protect the shop. Set BACKUP_URL to a folder on another disk or to a bucket.',
    ],
    ...jobs.map(({ name, lastFailed }): [boolean, string] => [
      lastFailed,
      `The job ${name} failed when it last ran. The log contains the reason ("a job failed"). The job runs again automatically.`,
    ]),
  ]
  return found.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

const count = (emails: number) => (emails === 1 ? '1 email' : `${emails} emails`)
