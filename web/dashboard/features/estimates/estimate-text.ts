import type { EstimateState } from '#contracts/estimates/estimates.ts'
import { formatThousandths, type LineKind } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

export const kindLabels: Readonly<Record<LineKind, string>> = {
  labor: 'Labor',
  part: 'Part',
  fee: 'Fee',
  sublet: 'Sublet',
  discount: 'Discount',
}

/**
 * The label of the select for the subtype of an estimate line, such as the condition of a part, by the kind of the
 * line; '' for a kind of line without this select.
 */
export const detailLabels: Readonly<Record<LineKind, string>> = {
  labor: '',
  part: 'Condition',
  fee: 'Which fee',
  sublet: '',
  discount: 'Type of discount',
}

export const subtypeNames: Readonly<Record<string, string>> = {
  new: 'New',
  used: 'Used',
  rebuilt: 'Rebuilt',
  reconditioned: 'Reconditioned',
  oem: 'OEM',
  other: 'Other',
  hazardous_waste: 'Hazardous waste',
  battery: 'Battery',
  tire: 'Tire',
  amount: 'Amount',
  percent: 'Percent',
}

/** An amount in cents as text, with a minus sign before the currency: -1500 → '−$15.00'. */
export function formatSignedCents(cents: number): string {
  return cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents)
}

/** Formats a tax rate given in ten-thousandths of a percent: 91250 → '9.125%' */
export function formatTaxRate(taxRate: number): string {
  return `${String(taxRate / 10_000)}%`
}

/** Formats labor time given in thousandths of an hour: 2200 → '2.2 h' */
export function formatLaborHours(quantityThousandths: number): string {
  return `${formatThousandths(quantityThousandths)} h`
}

type Stated = {
  readonly state: EstimateState
  readonly jobs: number
  readonly approvedJobs: number
}

/** The label of an estimate's state. */
export function stateLabel({ state, jobs, approvedJobs }: Stated): string {
  if (state === 'approved' && approvedJobs < jobs)
    return `Approved, ${approvedJobs} of ${jobs} jobs`
  return {
    draft: 'Draft',
    sent: 'Sent',
    seen: 'Viewed',
    approved: 'Approved',
    declined: 'Declined',
    expired: 'Expired',
    invoiced: 'Invoiced',
  }[state]
}

export const stateTones: Readonly<Record<EstimateState, BadgeTone>> = {
  draft: 'neutral',
  sent: 'info',
  seen: 'violet',
  approved: 'ok',
  declined: 'ring',
  expired: 'warn',
  invoiced: 'ok',
}
