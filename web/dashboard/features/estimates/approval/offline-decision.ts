import type {
  Authorization,
  authorizationMethods,
  Estimate,
} from '#contracts/estimates/estimates.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { shopClock, shopInstant } from '#domain/calendar/shop-time.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import type { OfflineDecision } from '../estimates-api.ts'
import { latestLineOf } from '../sent/authorization-text.ts'

type Decision = Authorization['decision']

/** What is typed of an answer that was given by other ways than the page. */
export type OfflineDecisionForm = {
  /** By the job's key; a job that is not in it stays as it is. */
  readonly decisions: Readonly<Record<string, Decision | ''>>
  readonly method: string
  readonly decidedByName: string
  readonly relationship: string
  readonly contact: string
  /** yyyy-MM-dd and HH:mm, shop time. */
  readonly date: string
  readonly time: string
  readonly statement: string
  readonly wantsPartsBack: boolean
}

export const methodLabels = {
  phone: 'Phone',
  in_person: 'In person',
  text: 'Text message',
  email: 'Email',
  signature: 'Signature',
} as const satisfies Record<Exclude<(typeof authorizationMethods)[number], 'web' | 'shop'>, string>

export const decisionLimits = {
  decidedByName: 100,
  relationship: 60,
  contact: 254,
  statement: 2000,
} as const

/**
 * The form as it opens. No job is preselected, so that a hurried key press cannot record a consent that nobody gave
 * (docs/product.md 15.7); `method` is known only where a button named it.
 */
export function newDecisionForm(
  { document }: Estimate,
  method: string,
  now: Date,
): OfflineDecisionForm {
  const { date, time } = shopClock(now)
  const { customer } = document
  return {
    decisions: {},
    method,
    decidedByName: customer.name,
    relationship: '',
    contact: customer.phone,
    date,
    time: time.slice(0, 5),
    statement: '',
    wantsPartsBack: false,
  }
}

/** Whether the ledger already approves a job as it is now: the same work at no higher price. */
export function isFullyApproved(job: Estimate['jobs'][number] | undefined): boolean {
  return job?.decision === 'approved' && job.isSameWork && job.authorizedCents >= job.totalCents
}

/** The number or address that goes with a way; undefined where the customer stood there. */
export function contactLabel(method: string): string | undefined {
  if (method === 'email') return 'Address'
  return method === 'phone' || method === 'text' ? 'Number' : undefined
}

/** What is still missing before the answer can be recorded (16 CCR 3354), in the order of the form. */
export function missingParts({
  decisions,
  method,
  contact,
  decidedByName,
}: OfflineDecisionForm): string[] {
  const label = contactLabel(method)
  return [
    ...(Object.values(decisions).some(Boolean) ? [] : ['a decision about a job']),
    ...(method === '' ? ['how the customer answered'] : []),
    ...(label && cleanLine(contact) === '' ? [`the ${label.toLowerCase()}`] : []),
    ...(cleanLine(decidedByName) === '' ? ['who decided'] : []),
  ]
}

/** The latest answer of each job that was declined and is now to be approved: each needs a second press. */
export function declinedBefore(
  { decisions }: OfflineDecisionForm,
  authorizations: readonly Authorization[],
): Authorization[] {
  return Object.entries(decisions).flatMap(([jobKey, decision]) => {
    const last = latestLineOf(authorizations, jobKey)
    return decision === 'approved' && last?.decision === 'declined' ? [last] : []
  })
}

type Refusal = {
  readonly title: string
  readonly message: string
  readonly fields: readonly (keyof OfflineDecisionForm)[]
}

/**
 * The answer as it is recorded. `confirmed` are the earlier refusals that staff looked at: the database refuses an
 * approval of a declined job that does not name them.
 */
export function checkDecision(
  form: OfflineDecisionForm,
  confirmed: readonly Authorization[],
  now: Date,
): Result<OfflineDecision, Refusal> {
  const refuse = (field: keyof OfflineDecisionForm, message: string) =>
    refused({ title: 'Could not record', message, fields: [field] })
  const { decisions, date, time, method } = form
  const [missing] = missingParts(form)
  if (missing) return refuse('decisions', `Enter ${missing}.`)
  if (date === '' || time === '') return refuse('date', 'Enter the day and time.')
  const decidedAt = shopInstant(date, time)
  if (decidedAt > now) return refuse('date', 'Enter a day and time in the past.')
  return accepted({
    decisions: Object.entries(decisions).flatMap(([jobKey, decision]) =>
      decision === ''
        ? []
        : [{ jobKey, decision, declinedId: latestLineOf(confirmed, jobKey)?.id ?? null }],
    ),
    method,
    decidedByName: cleanLine(form.decidedByName),
    relationship: cleanLine(form.relationship),
    contact: contactLabel(method) ? cleanLine(form.contact) : '',
    statement: form.statement.trim(),
    decidedAt: decidedAt.toISOString(),
    wantsPartsBack: form.wantsPartsBack,
  })
}
