import { DatabaseError } from 'pg'
import type Stripe from 'stripe'
import { createSessionLocks, type Database } from '@local/postgres'
import type { SavedStripeAccount } from '#contracts/setup.ts'
import { restartBackfill } from '#server/features/invoices/records/backfill-invoices.ts'
import type { PaymentSettings } from '#server/features/payments/provider/choose-provider.ts'
import { countOpenTestInvoices } from '#server/features/payments/provider/count-open-test-invoices.ts'
import type { StripeAccount } from '#server/features/payments/provider/stripe-account.ts'
import { isTestKey } from '#server/features/payments/stripe.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { removeSealedSetting, storeSealedSetting } from '#server/platform/secrets/sealed-setting.ts'
import { explainStripeFailure } from './explain-stripe-failure.ts'
import { createWebhook, disableWebhook } from './webhook-endpoint.ts'

export type StripeAccountContext = {
  readonly database: Database
  readonly publicUrl: string
  readonly paymentSettings: PaymentSettings
  readonly secretsKey: Buffer
  /** Returns a client of the Stripe SDK for a secret key that is not stored yet or is no longer stored. */
  readonly openAccount: (secretKey: string) => Stripe
}

/**
 * The maximum time in milliseconds to wait while another process changes the Stripe account. It is shorter than the
 * half minute after which the browser aborts the request.
 */
const lockMs = 5_000

/**
 * Runs `work` while no other process changes the Stripe account, because two simultaneous changes could leave an unused
 * webhook endpoint at Stripe.
 */
const alone = <Value>({ database }: StripeAccountContext, work: () => Promise<Value>) =>
  createSessionLocks(database.pool, () => new QueueFullError())('stripe account', lockMs, work)

/**
 * Connects the Stripe account of a secret key: creates a webhook endpoint in the account, and stores the account, the
 * key and the endpoint encrypted. Disables the webhook endpoint of the account that was connected before.
 */
export function saveStripeAccount(
  context: StripeAccountContext,
  owner: string,
  secretKey: string,
): Promise<SavedStripeAccount> {
  return alone(context, async () => {
    const { paymentSettings } = context
    await paymentSettings.reload()
    const former = paymentSettings.stored()
    const openTestInvoices = former ? 0 : await countOpenTestInvoices(context.database)
    if (openTestInvoices > 0) return refusedBy(openTestInvoices)
    const connected = await connect(context, secretKey)
    if (typeof connected === 'string') return failed(connected)
    const stored = await store(context, owner, connected)
    if (!stored) return refusedBy(await countOpenTestInvoices(context.database))
    await paymentSettings.reload()
    if (former?.value?.accountId !== connected.accountId) await restartBackfill(context.database)
    if (former?.value) await disableAt(context, former.value)
    const { accountName, webhook } = connected
    const isTest = isTestKey(secretKey)
    return {
      ...unchanged,
      outcome: 'saved',
      accountName,
      isTestKey: isTest,
      hasWebhook: webhook !== null,
    }
  })
}

/**
 * Removes the connected account and disables its webhook endpoint. Returns false when Stripe did not disable the
 * endpoint.
 */
export function removeStripeAccount(
  context: StripeAccountContext,
  owner: string,
): Promise<boolean> {
  return alone(context, async () => {
    const { database, paymentSettings } = context
    await paymentSettings.reload()
    const former = paymentSettings.stored()
    if (!former) return true
    await removeSealedSetting(database, { name: 'payments', owner })
    await paymentSettings.reload()
    return former.value ? disableAt(context, former.value) : false
  })
}

const unchanged = {
  accountName: null,
  isTestKey: false,
  hasWebhook: false,
  meaning: null,
  openTestInvoices: 0,
} as const

const failed = (meaning: string): SavedStripeAccount => ({
  ...unchanged,
  outcome: 'failed',
  meaning,
})

const refusedBy = (openTestInvoices: number): SavedStripeAccount => ({
  ...unchanged,
  outcome: 'test_invoices_open',
  openTestInvoices,
})

/**
 * Reads the Stripe account of a secret key and creates the webhook endpoint in that account. If Stripe refuses one of
 * these requests, returns a text that explains the reason to the owner.
 */
async function connect(
  { openAccount, publicUrl }: StripeAccountContext,
  secretKey: string,
): Promise<StripeAccount | string> {
  const stripe = openAccount(secretKey)
  try {
    const account = await stripe.accounts.retrieveCurrent()
    await tryRights(stripe)
    return {
      secretKey,
      accountId: account.id,
      accountName: nameOf(account),
      webhook: await createWebhook(stripe, publicUrl),
    }
  } catch (error) {
    return explainStripeFailure(error)
  }
}

/**
 * Reads one object of each kind that payments need (customers, invoices and others). Throws if the key is restricted
 * and may not read one of these kinds.
 */
async function tryRights(stripe: Stripe): Promise<void> {
  const one = { limit: 1 }
  await Promise.all([
    stripe.customers.list(one),
    stripe.invoices.list(one),
    stripe.checkout.sessions.list(one),
    stripe.paymentIntents.list(one),
    stripe.refunds.list(one),
    stripe.creditNotes.list(one),
  ])
}

const nameOf = ({ business_profile: profile, settings, email, id }: Stripe.Account): string =>
  profile?.name || settings?.dashboard.display_name || email || id

/**
 * Stores the account and returns true. Returns false when the database refused the account, because invoices of the
 * sandbox (the built-in test payment provider) are unpaid.
 */
async function store(
  context: StripeAccountContext,
  owner: string,
  account: StripeAccount,
): Promise<boolean> {
  try {
    await storeSealedSetting(context, { name: 'payments', owner }, account)
    return true
  } catch (error) {
    await disableAt(context, account)
    if (error instanceof DatabaseError && error.code === 'TT123') return false
    throw error
  }
}

const disableAt = (
  { openAccount }: StripeAccountContext,
  { secretKey, webhook }: StripeAccount,
): Promise<boolean> => disableWebhook(openAccount(secretKey), webhook)
