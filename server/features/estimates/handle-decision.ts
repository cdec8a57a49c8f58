import type { FastifyReply } from 'fastify'
import { restoreDecisionForm } from '#contracts/estimates/decision-form.ts'
import {
  type OpenedLink,
  sendInvalidLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { formOf } from '#server/platform/http/pages/form-bodies.ts'
import { decideEstimate } from './decide-estimate.ts'
import type { EstimatePageContext } from './open-estimate-page.ts'
import { payDeposit } from './pay-deposit.ts'

/**
 * Records the decision that a submitted form contains, and responds with the page of the estimate after the decision.
 */
export async function handleDecision(
  serving: EstimatePageContext,
  opened: OpenedLink,
  isDecline: boolean,
): Promise<FastifyReply> {
  const { id, path, reply, request } = opened
  const form = formOf(request)
  const outcome = await decideEstimate(serving, id, { isDecline, form })
  if (outcome.kind === 'gone') return sendInvalidLink(serving, reply)
  if (outcome.kind === 'done') {
    serving.mailer.wake()
    // When the estimate requires a deposit, the customer is redirected to the payment page after the approval was
    // recorded.
    const { change, sentRevision } = outcome
    if (change === 'approved' && sentRevision.deposit?.state === 'open') {
      return payDeposit(serving, opened)
    }
    // The estimate page shows the recorded decision, so a repeated submission is redirected to the same page.
    return reply.redirect(path, 303)
  }
  const { refusal, sentRevision } = outcome
  if (refusal === 'nothing_chosen')
    return sendPage(serving, reply, { name: 'decline', sentRevision, path })
  return sendPage(serving, reply.code(refusal === 'name_missing' ? 422 : 409), {
    name: 'estimate',
    sentRevision,
    path,
    refusal,
    ...(!isDecline && { choice: restoreDecisionForm(sentRevision, form) }),
  })
}
