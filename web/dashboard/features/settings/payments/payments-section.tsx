import { useQuery } from '@tanstack/react-query'
import { type PaymentSetup, setupEndpoints } from '#contracts/setup.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { CloseSettings } from './close-settings.tsx'
import { LookupSwitch } from './lookup-switch.tsx'
import { ProcessSettings, WhereToSet } from '../kit/process-settings.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SectionHistory } from '../kit/history/section-history.tsx'
import { SetupState } from '../kit/setup-state.tsx'
import { StripeAccountCard } from './stripe-account-card.tsx'

const watchMs = 10_000

/**
 * The settings section of payments: sandbox or live mode of Stripe, the state of Stripe's webhook, whether finding an
 * invoice requires an email address, and the day close (the cash count at the end of a day).
 */
export function PaymentsSection() {
  const setup = useQuery({
    queryKey: ['setup', 'payments'],
    queryFn: async () => orThrow(await callAsAdmin(setupEndpoints.payments)),
    refetchInterval: watchMs,
  })
  return (
    <SectionBody history={<SectionHistory sections={['rules']} />}>
      <SetupState query={setup} what="The payment settings">
        {setup.data && (
          <>
            <HowCardsAreCharged setup={setup.data} />
            <StripeAccountCard key={setup.data.stripeAccount?.changedAt} setup={setup.data} />
            <Webhook setup={setup.data} />
          </>
        )}
      </SetupState>
      <LookupSwitch />
      <CloseSettings />
    </SectionBody>
  )
}

const modes = {
  not_set_up: [
    'Payments are not set up',
    'Customers cannot pay online, and no invoice can be created. Connect a Stripe account below.',
  ],
  sandbox: [
    'Payments are in sandbox mode',
    'No money moves, and no payment provider is contacted. Connect a Stripe account below to charge cards.',
  ],
  test: [
    'Payments are in Stripe’s test mode',
    'No money moves: only test cards are accepted. Enter the live key to charge real cards.',
  ],
  live: ['Payments are live', 'Cards are charged, and the money goes to your Stripe account.'],
} as const satisfies Record<PaymentSetup['mode'], readonly [string, string]>

function HowCardsAreCharged({ setup: { mode, settings } }: { setup: PaymentSetup }) {
  const [title, meaning] = modes[mode]
  return (
    <section className="card settings-card">
      <h3>
        {title} <Badge tone={mode === 'live' ? 'ok' : 'warn'}>{mode}</Badge>
      </h3>
      <p>{meaning}</p>
      <ProcessSettings settings={settings} />
      <WhereToSet />
    </section>
  )
}

/**
 * Without webhook events, the server records a payment only when the customer returns to the site or when the regular
 * check asks Stripe.
 */
function Webhook({ setup }: { setup: PaymentSetup }) {
  const { mode, webhookUrl, webhookSeenAt, isSetByEnvironment } = setup
  if (mode === 'not_set_up') return null
  const hasAddress = mode !== 'sandbox' && (isSetByEnvironment || setup.canReceiveEvents)
  return (
    <section className="card settings-card">
      <h3>Webhook</h3>
      <dl className="process-settings">
        <div>
          <dt>Address</dt>
          <dd>{hasAddress ? webhookUrl : noAddress[mode]}</dd>
        </div>
        <div>
          <dt>Last event</dt>
          <dd>
            {webhookSeenAt ? (
              <time dateTime={webhookSeenAt}>{formatStamp(webhookSeenAt)}</time>
            ) : (
              'No event in the last 90 days'
            )}
          </dd>
        </div>
      </dl>
      {isSetByEnvironment && hasAddress && !webhookSeenAt && (
        <p className="hint">
          Add this address in Stripe under Developers, Webhooks, and set STRIPE_WEBHOOK_SECRET to
          the signing secret that Stripe shows. Until then, the site notices payments a few minutes
          late.
        </p>
      )}
    </section>
  )
}

const noAddress = {
  sandbox: 'Not needed in the sandbox',
  test: 'Stripe cannot reach this site',
  live: 'Stripe cannot reach this site',
} as const
