import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationsEndpoint } from '#contracts/operations.ts'
import { type EmailSetup, setupEndpoints } from '#contracts/setup.ts'
import { outboxLink } from '#web/dashboard/kit/navigation/links.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { CalendarFeed } from './calendar-feed.tsx'
import { MailServerCard } from './mail-server-card.tsx'
import { ProcessSettings, WhereToSet } from '../kit/process-settings.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SetupState } from '../kit/setup-state.tsx'
import { TestMessage } from './test-message.tsx'

const watchMs = 10_000

/** The settings section for emails: the mail server, a test message, and the queue of unsent emails. */
export function EmailSection() {
  const setup = useQuery({
    queryKey: ['setup', 'email'],
    queryFn: async () => orThrow(await callAsAdmin(setupEndpoints.email)),
  })
  return (
    <SectionBody>
      <SetupState query={setup} what="The email settings">
        {setup.data && (
          <>
            <EmailModeCard setup={setup.data} />
            <MailServerCard key={setup.data.mailServer?.changedAt} setup={setup.data} />
            <TestMessage owner={setup.data.owner} />
            <Queue />
          </>
        )}
      </SetupState>
      <CalendarFeed />
    </SectionBody>
  )
}

const ways = {
  smtp: ['is sent by a mail server', 'SMTP_URL'],
  resend: ['is sent by Resend', 'RESEND_API_KEY'],
  outbox: ['is not set up', undefined],
} as const satisfies Record<EmailSetup['mode'], readonly [string, string | undefined]>

function EmailModeCard({ setup }: { setup: EmailSetup }) {
  const [status, variable] = ways[setup.mode]
  const source = variable && (setup.isSetByEnvironment ? variable : setup.mailServer?.fields?.host)
  return (
    <section className="card settings-card">
      <h3>
        Email {status} <Badge tone={source ? 'ok' : 'warn'}>{source ? 'set' : 'not set'}</Badge>
      </h3>
      <p>
        {source
          ? `Confirmations, replies and receipts are sent by ${source}, from ${setup.from}.`
          : 'Messages to customers are kept in the folder outbox and in the list of all emails. Enter a mail server below to send them.'}{' '}
        Alerts are sent to {setup.owner}.
      </p>
      <ProcessSettings settings={setup.settings} />
      <WhereToSet />
    </section>
  )
}

/** The number of queued and failed emails, with a link to the list of all emails. */
function Queue() {
  const { data, isError, refetch } = useQuery({
    queryKey: ['operations'],
    queryFn: async () => orThrow(await callAsAdmin(operationsEndpoint)),
    refetchInterval: watchMs,
  })
  return (
    <section className="card settings-card">
      <h3>The queue</h3>
      {data && <QueueStatus {...data.emails} />}
      {isError && (
        <p>
          The queue could not be loaded.{' '}
          <Button compact onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <p>
        <Link className="touch-link" {...outboxLink}>
          All emails
        </Link>
      </p>
    </section>
  )
}

type Figures = { waiting: number; oldestWaitingMinutes: number; failed: number }

function QueueStatus({ waiting, oldestWaitingMinutes: minutes, failed }: Figures) {
  const since = minutes > 0 ? `, the oldest for ${minutes} min` : ''
  return (
    <dl className="process-settings">
      <div>
        <dt>Waiting</dt>
        <dd>{waiting === 0 ? 'None' : `${waiting}${since}`}</dd>
      </div>
      <div>
        <dt>Not delivered in the last 7 days</dt>
        <dd>{failed === 0 ? 'None' : failed}</dd>
      </div>
    </dl>
  )
}
