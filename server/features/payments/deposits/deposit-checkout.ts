import type Stripe from 'stripe'
import { accepted, refused } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { findOrCreateCustomer } from '#server/features/invoices/stripe-customer.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { callStripe } from '../call-stripe.ts'
import { cardSession, sessionSeconds } from '../checkout/card-session.ts'
import { expireSession } from '../checkout/invoice-sessions.ts'
import { recordSession } from '../checkout/payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { CheckoutResult } from '../payment-results.ts'
import { refuseOnlinePayment } from '../refuse-online-payment.ts'
import { withInvoiceLock } from '../settlement/invoice-lock.ts'
import { settleDeposit } from './settle-deposit.ts'

/** The result of `internal.open_deposit_page`: the data for a new checkout session. */
type DepositPage = {
  readonly pageId: string
  readonly amountCents: number
  readonly number: string
  /** The ids of checkout sessions that may still be open. */
  readonly openSessions: readonly string[]
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
}

/**
 * Opens the only checkout session in which a deposit can be paid, and returns the URL of the session. An older
 * session is closed first. `path` is the path of the estimate page, to which the customer returns. Refuses with
 * ALREADY_PAID when no deposit is due. Throws QueueFullError when too many checkouts are waiting.
 */
export async function openDepositCheckout(
  context: PaymentContext,
  estimateId: string,
  path: string,
): Promise<CheckoutResult> {
  if (context.paymentMode() === 'not_set_up') return refuseOnlinePayment(context.currentShop())
  const { checkouts, queues } = context.paymentQueues
  return checkouts(`estimate ${estimateId}`, () =>
    queues.checkout(() =>
      callStripe({ missing: 'NOT_FOUND', otherwise: 'CHECKOUT_UNAVAILABLE' }, () =>
        withInvoiceLock(context.database, estimateId, () => open(context, estimateId, path)),
      ),
    ),
  )
}

async function open(
  context: PaymentContext,
  estimateId: string,
  path: string,
): Promise<CheckoutResult> {
  const { stripe, database } = context
  const page = await openPage(context, estimateId)
  if (!page) return refused({ code: 'ALREADY_PAID' })
  for (const sessionId of page.openSessions) {
    if (await expireSession(stripe, sessionId)) continue
    // The customer has already paid the deposit in another tab.
    if ((await settleDeposit(context, sessionId)) !== undefined) {
      return refused({ code: 'ALREADY_PAID' })
    }
  }
  const once = (step: string) => ({ idempotencyKey: `deposit-${page.pageId}-${step}` })
  const customer = await findOrCreateCustomer(stripe, page.customer, once('customer'))
  const session = await stripe.checkout.sessions.create(
    order(context, { estimateId, path, customer }, page),
    once('session'),
  )
  await recordSession(database, page.pageId, session.id)
  return session.url ? accepted({ url: session.url }) : refused({ code: 'CHECKOUT_UNAVAILABLE' })
}

async function openPage(
  { database }: PaymentContext,
  estimateId: string,
): Promise<DepositPage | null> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ page: DepositPage | null }>(
      await query('select internal.open_deposit_page($1, $2) as page', [
        estimateId,
        sessionSeconds,
      ]),
    ),
  )
  return row?.page ?? null
}

function order(
  { publicUrl, now }: PaymentContext,
  to: { readonly estimateId: string; readonly path: string; readonly customer: string },
  { amountCents, number }: DepositPage,
): Stripe.Checkout.SessionCreateParams {
  const back = `${publicUrl}${to.path}?deposit=`
  return cardSession(
    {
      reference: to.estimateId,
      title: `Deposit for estimate ${number}`,
      customer: to.customer,
      metadata: { estimate_id: to.estimateId },
      currency: 'usd',
      amountCents,
      successUrl: `${back}{CHECKOUT_SESSION_ID}`,
      cancelUrl: `${back}open`,
    },
    now(),
  )
}
