import type {
  Authorization,
  authorizationMethods,
  Estimate,
} from '#contracts/estimates/estimates.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { shopClock, shopInstant } from '#domain/calendar/shop-time.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import type { OfflineDecision } from '../estimates-api.ts'
import { latestAuthorizationOf } from '../sent/authorization-text.ts'

type Decision = Authorization['decision']

/** The typed values of a decision that the customer gave to staff by phone, in person or in writing. */
export type OfflineDecisionForm = {
  /** The decision about each job, by job key. A job without an entry keeps its previous decision. */
  readonly decisions: Readonly<Record<string, Decision | ''>>
  readonly method: string
  readonly decidedByName: string
  readonly relationship: string
  readonly contact: string
  /** The date (yyyy-MM-dd) and time (HH:mm) of the decision, in shop time. */
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
 * Returns the initial values of the form. No job is preselected, so that an accidental key press cannot record a
 * consent that the customer never gave (docs/product.md 15.7). `method` is set only when a button for that method
 * opened the dialog.
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

/** Whether the customer has approved the same work at the same or a higher price than the job has now. */
export function isFullyApproved(job: Estimate['jobs'][number] | undefined): boolean {
  return job?.decision === 'approved' && job.isSameWork && job.authorizedCents >= job.totalCents
}

/**
 * The label of the field for the phone number or email address from which the customer decided; undefined when the
 * customer decided in person.
 */
export function contactLabel(method: string): string | undefined {
  if (method === 'email') return 'Address'
  return method === 'phone' || method === 'text' ? 'Number' : undefined
}

/**
 * Returns the data that is still missing in the form, in the order of the fields. The law requires this data for an
 * oral or written approval (16 CCR 3354).
 */
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

/**
 * Returns the customer's earlier declines of jobs that the form now approves, if the decline is the latest decision
 * about the job. Staff must confirm each of these changes.
 */
export function declinedBefore(
  { decisions }: OfflineDecisionForm,
  authorizations: readonly Authorization[],
): Authorization[] {
  return Object.entries(decisions).flatMap(([jobKey, decision]) => {
    const last = latestAuthorizationOf(authorizations, jobKey)
    return decision === 'approved' && last?.decision === 'declined' ? [last] : []
  })
}

type Refusal = {
  readonly title: string
  readonly message: string
  readonly fields: readonly (keyof OfflineDecisionForm)[]
}

/**
 * Validates the form and builds the request. `confirmed` contains the earlier declines that staff confirmed to replace
 * by an approval. The request contains their ids; otherwise the database would refuse the approval.
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
  if (date === '' || time === '') return refuse('date', 'Enter the day and time of the decision.')
  const decidedAt = shopInstant(date, time)
  if (decidedAt > now) return refuse('date', 'Enter a day and time in the past.')
  return accepted({
    decisions: Object.entries(decisions).flatMap(([jobKey, decision]) =>
      decision === ''
        ? []
        : [{ jobKey, decision, declinedId: latestAuthorizationOf(confirmed, jobKey)?.id ?? null }],
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
