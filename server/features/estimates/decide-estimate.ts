import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { type Query, retryTransaction, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { approvalLimitText } from './page/decision-section.ts'
import { type DecisionForm, readDecisionForm, decisionTotal } from './page/decision-form.ts'
import { readSentRevision } from './read-sent-revision.ts'
import type { DecisionContext, Done } from './decision-context.ts'
import { notifyDecision } from './notify-decision.ts'

/** Why an answer was not taken; the first ones are of `internal.decide_estimate`. */
export type Refusal =
  | 'version_conflict'
  | 'expired'
  | 'closed'
  /** What was chosen comes to another amount than the button said. */
  | 'other_amount'
  | 'name_missing'
  | 'nothing_chosen'

type Refused = {
  readonly kind: 'refused'
  readonly refusal: Refusal
  readonly sentRevision: SentRevision
}
/** There is no such estimate. */
type NotFound = { readonly kind: 'gone' }
type Decided = Done | Refused | NotFound

/** What was posted: one of the two buttons, with the fields of its form. */
export type Decision = { readonly isDecline: boolean; readonly form: URLSearchParams }

/**
 * Takes a customer's answer, with its letters, in one transaction. May be repeated: who answers again gets 'unchanged',
 * and no second letter.
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
    // The second look sees what came between.
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

const isDone = (outcome: Done['change'] | Refusal): outcome is Done['change'] =>
  outcome === 'approved' || outcome === 'declined' || outcome === 'unchanged'

/** The shop wrote a decision down between the look and the answer: it would come to another sum than was shown. */
class DecisionConflict extends Error {}

const nothing: DecisionForm = { approved: new Set(), decidedByName: '', wantsPartsBack: false }

/** Why it is not even tried: nothing is approved but what is on the screen. */
function refusalOf(
  sentRevision: SentRevision,
  choice: DecisionForm,
  form: URLSearchParams,
): Refusal | undefined {
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
  const [row] = rowsAs<{ outcome: Done['change'] | Refusal }>(
    await query('select internal.decide_estimate($1, $2, $3, $4, $5, $6) as outcome', [
      sentRevision.estimateId,
      form.get('revision') ?? '',
      [...choice.approved],
      choice.decidedByName,
      choice.approved.size > 0 ? approvalLimitText : 'Decline',
      choice.wantsPartsBack,
    ]),
  )
  if (!row) throw new Error('The database said nothing about an answer')
  return row.outcome
}
