import type { EstimateProblem } from '#contracts/estimates.ts'
import { DataRefusal } from '#web/lib/ask-data.ts'
import { ApiRefusal } from '#web/lib/call-api.ts'
import type { SaveFailure } from './editing.ts'

const codes: Readonly<Record<string, string>> = {
  TT070: 'Somebody else changed this estimate meanwhile. What you see is how it is.',
  TT071: 'This estimate no longer exists.',
  TT073: 'It has expired. Give it a later day in “Good until” first.',
  TT075: 'There is an invoice of it already.',
  TT077: 'Nothing of it is approved.',
  TT078: 'There is nothing to send yet.',
  TT079: 'The customer declined this job before. Look at that answer, then record again.',
}

type Code = EstimateProblem['code']

/** What is still to be done before an estimate can be handed over. */
export const problemWords: Readonly<Record<Code, string>> = {
  name_missing: 'Please say whose estimate it is.',
  no_jobs: 'There is no job in it yet.',
  total_too_large: 'A total is at most $999,999.99.',
  title_missing: 'Please name the job.',
  no_lines: 'The job has no line yet.',
  discount_above_job: 'The discount takes off more than the job costs.',
  description_missing: 'Please say what the line is.',
  generic_supplies: 'Supplies in general are not charged (16 CCR 3356). Please name what was used.',
  hazardous_waste_needs_epa:
    'A hazardous waste fee needs the shop’s EPA number (Settings, Estimates and tax).',
}

const isProblem = (code: string): code is Code => code in problemWords

const unanswered = 'The connection is gone. When it is back, look here before you try again.'

/** Why something was not done, in a sentence. */
export function refusalWords(error: unknown): string {
  if (error instanceof ApiRefusal && error.message) return error.message
  if (error instanceof ApiRefusal && error.reply.status === 0) return unanswered
  if (!(error instanceof DataRefusal)) return 'It did not work. Please try again.'
  if (error.status === 0) return unanswered
  const { hint = '' } = error
  if (error.code === 'TT074' && isProblem(hint)) return problemWords[hint]
  if (error.code === 'TT074' && hint === 'too_many_lines')
    return 'An estimate has at most 300 lines.'
  return codes[error.code] ?? error.message
}

/** What a failed save means for what was typed. */
export function saveFailure(error: unknown): SaveFailure {
  if (!(error instanceof DataRefusal) || error.status === 0 || error.status >= 500) {
    return { kind: 'unanswered' }
  }
  if (error.code === 'TT070') return { kind: 'changed_meanwhile' }
  return { kind: 'refused', words: refusalWords(error) }
}
