import type { PaymentSetup, ProcessSetting } from '#contracts/setup.ts'
import type { Config } from '#server/config.ts'
import type { PaymentSettings } from '#server/features/payments/provider/choose-provider.ts'
import { isTestKey, type StripeConnection } from '#server/features/payments/stripe.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { countOpenTestInvoices } from '#server/features/payments/provider/count-open-test-invoices.ts'
import { canReceiveEvents, webhookUrlOf } from './stripe-account/webhook-endpoint.ts'

type Source = {
  readonly config: Pick<Config, 'payments' | 'publicUrl'>
  readonly database: Database
  readonly stripeConnection: StripeConnection
  readonly paymentSettings: Pick<PaymentSettings, 'stored'>
}

/** Reads how the shop charges cards, and the settings that determine this. The result contains no part of a key. */
export async function readPaymentSetup({
  config: { payments, publicUrl },
  database,
  stripeConnection,
  paymentSettings,
}: Source): Promise<PaymentSetup> {
  const mode = modeOf(stripeConnection)
  const isSet = payments.mode === 'stripe'
  const kind = mode === 'live' ? 'a live key' : 'a test key'
  const settings: ProcessSetting[] = [
    { name: 'STRIPE_SECRET_KEY', isSet, shows: isSet ? kind : null },
    { name: 'STRIPE_WEBHOOK_SECRET', isSet, shows: null },
  ]
  return {
    mode,
    settings,
    isSetByEnvironment: payments.mode !== 'dashboard',
    stripeAccount: toShown(paymentSettings.stored()),
    openTestInvoices: await countOpenTestInvoices(database),
    canReceiveEvents: canReceiveEvents(publicUrl),
    webhookUrl: webhookUrlOf(publicUrl),
    webhookSeenAt: await readLastEvent(database, mode === 'live'),
  }
}

function modeOf({ mode, isTestMode }: StripeConnection): PaymentSetup['mode'] {
  if (mode !== 'stripe') return mode
  return isTestMode ? 'test' : 'live'
}

/** Selects the fields one by one, so that the result contains no secret. */
function toShown(stored: ReturnType<PaymentSettings['stored']>): PaymentSetup['stripeAccount'] {
  if (!stored) return null
  const { value, changedAt, changedByName } = stored
  const fields = value && {
    name: value.accountName,
    isTestKey: isTestKey(value.secretKey),
    hasWebhook: value.webhook !== null,
  }
  return { fields: fields ?? null, changedAt, changedByName }
}

async function readLastEvent(database: Database, isLive: boolean): Promise<string | null> {
  const [row] = rowsAs<{ seen: string | null }>(
    await database.transaction(asServer, (query) =>
      query(
        `select to_json(max(handled_at)) #>> '{}' as seen from internal.stripe_events where is_live = $1`,
        [isLive],
      ),
    ),
  )
  return row?.seen ?? null
}
