import type { FastifyReply } from 'fastify'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import {
  type OpenedLink,
  sendInvalidLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { formOf } from '#server/platform/http/pages/form-bodies.ts'
import { decideEstimate, type Refusal } from '../decide-estimate.ts'
import {
  type DecisionForm,
  initialDecision,
  restoreDecisionForm,
  decisionTotal,
} from './decision-form.ts'
import { renderDeclinePage } from './decision-section.ts'
import { renderEstimatePage } from './estimate-page.ts'
import type { EstimatePageContext } from './open-estimate-page.ts'

/** Records the decision of a submitted form, and responds with the current state of the estimate. */
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
    // The page shows the decision, so a repeated form leads to the same page.
    return reply.redirect(path, 303)
  }
  const { refusal, sentRevision } = outcome
  if (refusal === 'nothing_chosen')
    return sendPage(serving, reply, renderDeclinePage(sentRevision, path))
  const choice = isDecline ? initialDecision(sentRevision) : restoreDecisionForm(sentRevision, form)
  const page = renderEstimatePage({
    shop: serving.currentShop(),
    sentRevision,
    path,
    choice,
    isNameMissing: !isDecline && choice.decidedByName === '',
    notice: refusalInWords(refusal, sentRevision, choice),
  })
  return sendPage(serving, reply.code(refusal === 'name_missing' ? 422 : 409), page)
}

function refusalInWords(
  refusal: Refusal,
  sentRevision: SentRevision,
  choice: DecisionForm,
): string | undefined {
  switch (refusal) {
    case 'version_conflict':
      return 'The shop changed this estimate. Please review it again.'
    case 'other_amount':
      return `What you chose comes to ${formatCents(decisionTotal(sentRevision, choice))}. Please review it, then approve.`
    case 'name_missing':
      // The message beside the field explains the refusal.
      return undefined
    default:
      return 'Nothing was changed. Here is the current status of your estimate.'
  }
}
