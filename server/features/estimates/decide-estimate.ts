import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { type Query, retryTransaction, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import {
  approvalLimitText,
  type DecisionForm,
  type DecisionRefusal,
  decisionTotal,
  readDecisionForm,
} from '#contracts/estimates/decision-form.ts'
import { readSentRevision } from './read-sent-revision.ts'
import type { DecisionContext, Done } from './decision-context.ts'
import { notifyDecision } from './notify-decision.ts'

type Refused = {
  readonly kind: 'refused'
  readonly refusal: DecisionRefusal
  readonly sentRevision: SentRevision
}
/** The result of a decision about an estimate that does not exist. */
type NotFound = { readonly kind: 'gone' }
type Decided = Done | Refused | NotFound

/** A submitted form of the estimate page: the pressed button (approve or decline) and the fields. */
export type Decision = { readonly isDecline: boolean; readonly form: URLSearchParams }

/**
 * Records a customer's decision and queues the emails about the decision, in one transaction. A repeated decision
 * returns 'unchanged' and queues no second email.
 */
export async function decideEstimate(
  context: DecisionContext,
  estimateId: string,
  decision: Decision,
): Promise<Decided> {
  const attempt = () =>
    retryTransaction(() =>
      context.database.transaction(asServer, (query) =>
        decideOnce(context, query, estimateId, decision),
      ),
    )
  try {
    return await attempt()
  } catch (error) {
    // Staff recorded another decision at the same time, so the customer's decision was not recorded. The second call
    // reads the estimate again and compares the amount on the customer's page with the new total.
    if (error instanceof DecisionConflict) return attempt()
    throw error
  }
}

async function decideOnce(
  context: DecisionContext,
  query: Query,
  estimateId: string,
  { isDecline, form }: Decision,
): Promise<Decided> {
  const before = await readSentRevision(query, estimateId)
  if (!before) return { kind: 'gone' }
  const choice = isDecline
    ? { ...nothing, decidedByName: before.customerName }
    : readDecisionForm(before, form)
  const refusal = isDecline ? undefined : refusalOf(before, choice, form)
  if (refusal) return { kind: 'refused', refusal, sentRevision: before }
  const outcome = await write(query, before, choice, form)
  const sentRevision = await readSentRevision(query, estimateId)
  if (!sentRevision) return { kind: 'gone' }
  if (!isDone(outcome)) return { kind: 'refused', refusal: outcome, sentRevision }
  const done: Done = { kind: 'done', change: outcome, sentRevision }
  if (outcome !== 'unchanged') {
    if (sentRevision.authorizedCents !== decisionTotal(before, choice)) throw new DecisionConflict()
    await notifyDecision(context, query, done)
  }
  return done
}

const isDone = (outcome: Done['change'] | DecisionRefusal): outcome is Done['change'] =>
  outcome === 'approved' || outcome === 'declined' || outcome === 'unchanged'

/**
 * Thrown when staff recorded a decision after the estimate was read, so that the approved total would differ from the
 * amount on the customer's page.
 */
class DecisionConflict extends Error {}

const nothing: DecisionForm = { approved: new Set(), decidedByName: '', wantsPartsBack: false }

/**
 * Checks a decision before recording it. A customer can approve only the revision and the amount that the customer's
 * page displayed.
 */
function refusalOf(
  sentRevision: SentRevision,
  choice: DecisionForm,
  form: URLSearchParams,
): DecisionRefusal | undefined {
  if (sentRevision.state !== 'open') return undefined
  if (form.get('revision') !== sentRevision.revisionHash) return 'version_conflict'
  if (choice.approved.size === 0) return 'nothing_chosen'
  if (form.get('shown') !== String(decisionTotal(sentRevision, choice))) return 'other_amount'
  return choice.decidedByName === '' ? 'name_missing' : undefined
}

async function write(
  query: Query,
  sentRevision: SentRevision,
  choice: DecisionForm,
  form: URLSearchParams,
) {
  const [row] = rowsAs<{ outcome: Done['change'] | DecisionRefusal }>(
    await query('select internal.decide_estimate($1, $2, $3, $4, $5, $6) as outcome', [
      sentRevision.estimateId,
      form.get('revision') ?? '',
      [...choice.approved],
      choice.decidedByName,
      choice.approved.size > 0 ? approvalLimitText : 'Decline',
      choice.wantsPartsBack,
    ]),
  )
  if (!row) throw new Error('internal.decide_estimate returned no outcome')
  return row.outcome
}
