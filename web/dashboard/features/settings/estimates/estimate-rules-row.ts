import type { Database } from '#contracts/database.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { parseCents } from '#domain/money/money.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { requestData } from '#web/lib/data/request-data.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { SettingsRow } from '../kit/use-settings-row.ts'

/** The typed values of the estimate settings. */
export type EstimateRulesForm = {
  /** The price of one hour of labor in US dollars. */
  laborRate: string
  goodForDays: string
  registrationNumber: string
  epaNumber: string
  conditions: string
  payerSentence: string
}

type Row = Omit<Database['public']['Tables']['estimate_rules']['Row'], 'id'>

const columns =
  'labor_rate_cents, good_for_days, registration_number, epa_number, conditions, payer_sentence, version'

const toSaved = (row: Row): Saved<EstimateRulesForm> => ({
  version: row.version,
  form: {
    laborRate: formatCents(row.labor_rate_cents).slice(1),
    goodForDays: String(row.good_for_days),
    registrationNumber: row.registration_number,
    epaNumber: row.epa_number,
    conditions: row.conditions,
    payerSentence: row.payer_sentence,
  },
})

const toColumns = (form: EstimateRulesForm) => ({
  labor_rate_cents: laborRateOf(form) ?? 0,
  good_for_days: Number(form.goodForDays),
  registration_number: cleanLine(form.registrationNumber),
  epa_number: cleanLine(form.epaNumber),
  conditions: form.conditions.trim(),
  payer_sentence: form.payerSentence.trim(),
})

/** The labor rate in cents; undefined for an invalid price or a fraction of a cent. */
export function laborRateOf({ laborRate }: EstimateRulesForm): number | undefined {
  const cents = /\.\d{3}/.test(laborRate) ? undefined : parseCents(laborRate)
  return cents !== undefined && cents <= 1_000_000 ? cents : undefined
}

/** The labels of the fields, also used in the list of unsaved changes. */
export const estimateRuleLabels: Readonly<Record<keyof EstimateRulesForm, string>> = {
  laborRate: 'Labor rate per hour',
  goodForDays: 'Good for (days)',
  registrationNumber: 'BAR registration number',
  epaNumber: 'EPA number',
  conditions: 'Conditions',
  payerSentence: 'Sentence printed until the third-party payer approves an amount',
}

const wrong = {
  laborRate: 'Please enter a price in dollars and cents, up to 10,000.00.',
  goodForDays: 'Please enter a whole number of days, 1 to 365.',
  registrationNumber: 'Please enter up to 30 visible characters.',
  epaNumber: 'Please enter up to 30 visible characters.',
  conditions: 'Please enter up to 2,000 characters.',
  payerSentence: 'Please enter a sentence of up to 1,000 characters.',
} as const

/** The errors that the form shows before it sends a request. */
function check(form: EstimateRulesForm): FieldErrors<EstimateRulesForm> {
  const days = Number(form.goodForDays)
  const areDays = /^\d{1,3}$/.test(form.goodForDays.trim()) && days >= 1 && days <= 365
  return {
    ...(laborRateOf(form) === undefined && { laborRate: wrong.laborRate }),
    ...(!areDays && { goodForDays: wrong.goodForDays }),
    ...(form.payerSentence.trim() === '' && { payerSentence: wrong.payerSentence }),
  }
}

/** Defines how the form of the estimate settings is read, checked and saved. */
export const estimateRulesRow: SettingsRow<EstimateRulesForm> = {
  section: 'estimates',
  empty: {
    laborRate: '',
    goodForDays: '',
    registrationNumber: '',
    epaNumber: '',
    conditions: '',
    payerSentence: '',
  },
  read: async () => {
    const { data } = await requestData((service) =>
      service.from('estimate_rules').select(columns).single(),
    )
    return toSaved(data)
  },
  write: async (form, version) => {
    const { data } = await requestData((service) =>
      service.from('estimate_rules').update(toColumns(form)).eq('version', version).select(columns),
    )
    return data[0] && toSaved(data[0])
  },
  check,
  label: (name) => estimateRuleLabels[name],
  refusals: {
    estimate_rules_labor_rate_in_range: { laborRate: wrong.laborRate },
    estimate_rules_good_for_days_in_range: { goodForDays: wrong.goodForDays },
    estimate_rules_registration_number_is_text: { registrationNumber: wrong.registrationNumber },
    estimate_rules_epa_number_is_text: { epaNumber: wrong.epaNumber },
    estimate_rules_conditions_are_short: { conditions: wrong.conditions },
    estimate_rules_payer_sentence_is_text: { payerSentence: wrong.payerSentence },
  },
  effect: 'New estimates and newly printed documents use these settings.',
  limits: {
    laborRate: 12,
    goodForDays: 3,
    registrationNumber: 30,
    epaNumber: 30,
    conditions: 2000,
    payerSentence: 1000,
  },
}
