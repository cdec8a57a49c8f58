import type { PaymentSetup, ProcessSetting } from '#contracts/setup.ts'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import type { Config } from '#server/config.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Reads how cards are charged and with which settings. No part of a key is returned. */
export async function readPaymentSetup(
  { payments, publicUrl }: Pick<Config, 'payments' | 'publicUrl'>,
  database: Database,
): Promise<PaymentSetup> {
  const mode = modeOf(payments)
  const isSet = payments.mode === 'stripe'
  const kind = mode === 'live' ? 'a live key' : 'a test key'
  const settings: ProcessSetting[] = [
    { name: 'STRIPE_SECRET_KEY', isSet, shows: isSet ? kind : null },
    { name: 'STRIPE_WEBHOOK_SECRET', isSet, shows: null },
  ]
  const webhookUrl = `${publicUrl}${stripeWebhookEndpoint.path}`
  const webhookSeenAt = await readLastEvent(database, mode === 'live')
  return { mode, settings, webhookUrl, webhookSeenAt }
}

function modeOf(payments: Config['payments']): PaymentSetup['mode'] {
  if (payments.mode === 'sandbox') return 'sandbox'
  return /^(sk|rk)_test_/.test(payments.secretKey) ? 'test' : 'live'
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
