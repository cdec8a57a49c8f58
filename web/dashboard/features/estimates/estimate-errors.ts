import type { EstimateProblem } from '#contracts/estimates/estimates.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { ApiError } from '#web/lib/data/call-api.ts'

const codes: Readonly<Record<string, string>> = {
  TT051: 'Someone else changed this estimate. You now see the current version.',
  TT071: 'This estimate no longer exists.',
  TT073: 'This estimate has expired. Enter a later day in “Good until” first.',
  TT075: 'This estimate already has an invoice.',
  TT077: 'The customer has not approved a job yet.',
  TT079:
    'The customer declined this job before. Check that decision, then record the approval again.',
}

type Code = EstimateProblem['code']

/** For each problem that prevents sending an estimate, the text that tells staff how to solve it. */
export const problemMessages: Readonly<Record<Code, string>> = {
  name_missing: 'Enter a customer.',
  vehicle_missing: 'Enter year, make and model of the vehicle.',
  odometer_missing: 'The vehicle is at the shop. Enter its odometer reading.',
  payer_name_missing: 'Enter the name of the third-party payer.',
  payer_reference_missing: 'Enter the number of the payer’s claim or estimate.',
  no_jobs: 'Add a job first.',
  total_too_large: 'A total is at most $999,999.99.',
  title_missing: 'Enter a name for the job.',
  no_lines: 'Add a line to the job.',
  discount_above_job: 'The discount is higher than the price of the job.',
  description_missing: 'Enter a description for the line.',
  generic_supplies:
    'General supplies cannot be charged (16 CCR 3356). Name the supplies that were used.',
  towing_needs_own_estimate:
    'Towing needs an estimate and an invoice of its own. Use “New towing estimate” in Invoices.',
  hazardous_waste_needs_epa:
    'A hazardous waste fee needs the shop’s EPA number (Settings, Estimates and tax).',
  tear_down_areas_missing: 'Enter the areas of the tear-down.',
  tear_down_price_missing: 'Enter the price of the tear-down.',
  tear_down_reassembly_price_missing: 'Enter the price of reassembly.',
  tear_down_destroyed_parts_missing: 'Enter the parts that are normally destroyed, or “None”.',
  tear_down_time_missing: 'Enter the longest time to reassemble.',
  tear_down_risk_missing: 'Choose whether the tear-down may prevent reassembly.',
  tear_down_price_differs:
    'Before tax, the lines must add up to the price of tear-down plus the price of reassembly.',
}

const isProblem = (code: string): code is Code => code in problemMessages

const unanswered = 'You’re offline. When you’re back online, check this page before trying again.'

/** Explains in a sentence why a request about an estimate failed. */
export function estimateErrorMessage(error: unknown): string {
  if (error instanceof ApiError && error.message) return error.message
  if (error instanceof ApiError && error.reply.status === 0) return unanswered
  if (!(error instanceof DataError)) return 'Something went wrong. Please try again.'
  if (error.status === 0) return unanswered
  const { hint = '' } = error
  if (error.code === 'TT074' && isProblem(hint)) return problemMessages[hint]
  if (error.code === 'TT074' && hint === 'too_many_lines')
    return 'An estimate has at most 300 lines.'
  return codes[error.code] ?? error.message
}
