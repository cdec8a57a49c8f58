import type { Authorization, authorizationMethods, Estimate } from '#contracts/estimates.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { shopClock, shopInstant } from '#domain/shop-time.ts'
import { oneLine } from '#domain/typed-text.ts'
import type { SpokenAnswer } from './estimates-api.ts'

type Decision = Authorization['decision']

/** What is typed of an answer that was given by other ways than the page. */
export type AnswerForm = {
  /** By the job's key; a job that is not in it stays as it is. */
  readonly decisions: Readonly<Record<string, Decision | ''>>
  readonly method: string
  readonly person: string
  readonly relation: string
  readonly contact: string
  /** yyyy-MM-dd and HH:mm, shop time. */
  readonly date: string
  readonly time: string
  readonly words: string
  readonly wantsPartsBack: boolean
}

export const methodLabels = {
  phone: 'Phone',
  in_person: 'In person',
  text: 'Text message',
  email: 'E-mail',
  signature: 'Signature',
} as const satisfies Record<Exclude<(typeof authorizationMethods)[number], 'web'>, string>

export const answerLimits = { person: 100, relation: 60, contact: 254, words: 2000 } as const

/** Needed work that nobody decided about is what most calls are about. */
export function beginAnswer({ document, jobs }: Estimate, now: Date): AnswerForm {
  const { date, time } = shopClock(now)
  const { customer } = document
  const isOpen = ({ key, isNeeded }: (typeof document.jobs)[number]) => {
    const job = jobs.find((counted) => counted.key === key)
    return isNeeded && (job?.authorizedCents ?? 0) < (job?.totalCents ?? 0)
  }
  return {
    decisions: Object.fromEntries(
      document.jobs.map((job) => [job.key, isOpen(job) ? 'approved' : '']),
    ),
    method: 'phone',
    person: customer.name,
    relation: '',
    contact: customer.phone,
    date,
    time: time.slice(0, 5),
    words: '',
    wantsPartsBack: false,
  }
}

/** The number or address that goes with a way; undefined where the customer stood there. */
export function contactLabel(method: string): string | undefined {
  if (method === 'email') return 'Address'
  return method === 'phone' || method === 'text' ? 'Number' : undefined
}

type Refusal = {
  readonly title: string
  readonly message: string
  readonly fields: readonly (keyof AnswerForm)[]
}

/** The answer as it is recorded, or what it lacks: who, how, when and of what (16 CCR 3354). */
export function checkAnswer(form: AnswerForm, now: Date): Result<SpokenAnswer, Refusal> {
  const refuse = (field: keyof AnswerForm, message: string) =>
    refused({ title: 'Not recorded', message, fields: [field] })
  const { decisions, date, time, method } = form
  const decided = Object.entries(decisions).flatMap(([jobKey, decision]) =>
    decision === '' ? [] : [{ jobKey, decision }],
  )
  if (decided.length === 0) return refuse('decisions', 'Please say what was decided of a job.')
  if (oneLine(form.person) === '') return refuse('person', 'Please say who decided.')
  const label = contactLabel(method)
  if (label && oneLine(form.contact) === '') {
    const which = method === 'phone' ? 'number that was called' : label.toLowerCase()
    return refuse('contact', `Please give the ${which}.`)
  }
  if (date === '' || time === '') return refuse('date', 'Please say when it was said.')
  const saidAt = shopInstant(date, time)
  if (saidAt > now) return refuse('date', 'This is still to come.')
  return accepted({
    decisions: decided,
    method,
    person: oneLine(form.person),
    relation: oneLine(form.relation),
    contact: label ? oneLine(form.contact) : '',
    words: form.words.trim(),
    saidAt: saidAt.toISOString(),
    wantsPartsBack: form.wantsPartsBack,
  })
}
