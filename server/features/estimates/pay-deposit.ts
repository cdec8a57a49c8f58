import type { FastifyReply } from 'fastify'
import type { EstimatePage } from '#contracts/api/customer-pages.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { openDepositCheckout } from '#server/features/payments/deposits/deposit-checkout.ts'
import { settleDeposit } from '#server/features/payments/deposits/settle-deposit.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { type OpenedLink, sendPage } from '#server/features/visit-page/link-pages.ts'
import type { EstimatePageContext } from './open-estimate-page.ts'

/**
 * Redirects the customer to the payment page for the deposit. Redirects back to the estimate page when no deposit is
 * due or the payment page cannot be created.
 */
export async function payDeposit(
  { context }: EstimatePageContext,
  { id, path, reply }: OpenedLink,
): Promise<FastifyReply> {
  try {
    const opened = await openDepositCheckout(context, id, path)
    if (opened.ok) return reply.redirect(opened.value.url, 303)
    const { code } = opened.refusal
    if (code === 'ALREADY_PAID') return reply.redirect(path, 303)
    const notice = code === 'PAYMENTS_NOT_SET_UP' ? 'not_set_up' : 'unavailable'
    return reply.redirect(`${path}?deposit=${notice}`, 303)
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    return reply.redirect(`${path}?deposit=unavailable`, 303)
  }
}

/**
 * Shows the estimate page. When a customer returns from the payment page, the URL contains the id of the checkout
 * session.
 */
export async function showEstimate(
  serving: EstimatePageContext,
  sentRevision: SentRevision,
  { request, path, reply }: OpenedLink,
): Promise<FastifyReply> {
  const { deposit } = request.query
  if (typeof deposit === 'string' && /^cs_\w{1,240}$/.test(deposit)) {
    const isKnown = await isSettled(serving, deposit)
    return reply.redirect(isKnown ? path : `${path}?deposit=verifying`, 303)
  }
  return sendPage(serving, reply, {
    name: 'estimate',
    sentRevision,
    path,
    depositNotice: noticeOf(deposit),
  })
}

const noticeOf = (given: unknown): EstimatePage['depositNotice'] =>
  given === 'verifying' || given === 'unavailable' || given === 'not_set_up' ? given : undefined

/**
 * Records the deposit that a customer paid in a Stripe checkout session. Returns false when the deposit is not paid yet
 * or the payment provider does not respond.
 */
async function isSettled({ context }: EstimatePageContext, sessionId: string): Promise<boolean> {
  try {
    const { verification } = context.paymentQueues.queues
    return (await verification(() => settleDeposit(context, sessionId))) !== undefined
  } catch (error) {
    if (error instanceof QueueFullError || stripeFailure(error) !== undefined) return false
    throw error
  }
}
