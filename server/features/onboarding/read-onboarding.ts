import type { OnboardingStep, Onboarding } from '#contracts/onboarding.ts'
import type { PaymentMode } from '#server/features/payments/stripe.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The server settings that determine whether a setup step is done. */
export type ProcessState = {
  readonly canSendEmail: () => boolean
  readonly paymentMode: () => PaymentMode
}

/**
 * Reads which setup steps are done. If the owner has hidden the steps or completed all of them before, only one
 * database row is read.
 */
export async function readOnboarding(query: Query, process: ProcessState): Promise<Onboarding> {
  const [row] = rowsAs<Row>(
    await query(
      `select has_first_password, confirmed_steps, hidden_at is not null as is_hidden,
         done_at is not null as is_done, sample_week_id is not null as has_sample_week
       from internal.onboarding`,
    ),
  )
  if (!row) throw new Error('The database contains no row with the setup steps')
  const state = {
    isHidden: row.is_hidden,
    hasSampleWeek: row.has_sample_week,
    canSendEmail: process.canSendEmail(),
  }
  if (row.is_hidden || row.is_done) return { ...state, steps: null, canFillSampleWeek: false }
  const steps = stepsOf(row, await readEnteredSettings(query), process)
  if (steps.every(({ isDone }) => isDone)) {
    await query('update internal.onboarding set done_at = now() where done_at is null')
    return { ...state, steps: null, canFillSampleWeek: false }
  }
  return { ...state, steps, canFillSampleWeek: await canFill(query, process) }
}

type Row = {
  has_first_password: boolean
  confirmed_steps: string[]
  is_hidden: boolean
  is_done: boolean
  has_sample_week: boolean
}

type EnteredSettings = Record<
  'shop' | 'hours' | 'bays' | 'services' | 'labor' | 'tax' | 'registration',
  boolean
>

/**
 * A setup step is done when the owner entered its settings or confirmed the defaults. The email step and the payments
 * step are done as soon as the server uses a mail server or a Stripe account.
 */
function stepsOf(row: Row, entered: EnteredSettings, process: ProcessState) {
  const isConfirmed = (step: OnboardingStep) => row.confirmed_steps.includes(step)
  const done: Record<OnboardingStep, boolean> = {
    shop: entered.shop,
    hours: entered.hours || isConfirmed('hours'),
    bays: entered.bays || isConfirmed('bays'),
    services: entered.services || isConfirmed('services'),
    labor: entered.labor || isConfirmed('labor'),
    tax: entered.tax || isConfirmed('tax'),
    registration: entered.registration,
    email: process.canSendEmail(),
    payments: process.paymentMode() === 'stripe',
    password: !row.has_first_password,
  }
  return (Object.keys(done) as OnboardingStep[]).map((id) => ({ id, isDone: done[id] }))
}

/**
 * The columns of the shop settings whose default value is a detail of the fictional example shop. The owner of a real
 * shop must replace each of these values.
 */
const ownColumns = [
  'name',
  'legal_name',
  'street',
  'phone',
  'billing_phone',
  'support_email',
  'billing_email',
  'booking_email',
]

/**
 * Reads for each setup step whether the owner changed its settings. Saving an unchanged default does not count, because
 * the settings history has no entry for such a save.
 */
async function readEnteredSettings(query: Query): Promise<EnteredSettings> {
  const [row] = rowsAs<EnteredSettings>(
    await query(
      `select not exists (
           select from unnest($1::text[]) own
           where not exists (select from public.settings_history where section = 'shop' and after ? own)) as shop,
         exists (select from public.settings_history where section in ('hours', 'closures')) as hours,
         exists (select from public.settings_history where section = 'bays') as bays,
         exists (select from public.settings_history where section = 'services') as services,
         exists (select from public.settings_history where section = 'estimates' and after ? 'labor_rate_cents') as labor,
         exists (select from public.settings_history where section = 'estimates' and after ? 'rate') as tax,
         rules.registration_number <> '' as registration
       from public.estimate_rules rules`,
      [ownColumns],
    ),
  )
  if (!row) throw new Error('The database contains no row with the rules for estimates')
  return row
}

async function canFill(query: Query, { paymentMode }: ProcessState): Promise<boolean> {
  if (paymentMode() !== 'sandbox') return false
  const [row] = rowsAs<{ can_fill: boolean }>(
    await query('select internal.can_fill_sample_week() as can_fill'),
  )
  return row?.can_fill ?? false
}
