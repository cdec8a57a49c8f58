import type { OnboardingStep, Onboarding } from '#contracts/onboarding.ts'
import type { Config } from '#server/config.ts'
import { type Query, rowsAs } from '@local/postgres'

/** The settings of the process that decide whether a step is done. */
export type ProcessState = {
  readonly canSendEmail: boolean
  readonly payments: Config['payments']['mode']
}

/** Reads which steps are done. For a shop whose steps are hidden or were all done, one row is read. */
export async function readOnboarding(query: Query, process: ProcessState): Promise<Onboarding> {
  const [row] = rowsAs<Row>(
    await query(
      `select has_first_password, confirmed_steps, hidden_at is not null as is_hidden,
         done_at is not null as is_done, sample_week_id is not null as has_sample_week
       from internal.onboarding`,
    ),
  )
  if (!row) throw new Error('The database contains no row of the onboarding')
  const state = {
    isHidden: row.is_hidden,
    hasSampleWeek: row.has_sample_week,
    canSendEmail: process.canSendEmail,
  }
  if (row.is_hidden || row.is_done) return { ...state, steps: null, canFillSampleWeek: false }
  const steps = stepsOf(row, await readChanged(query), process)
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

type Changed = { shop: boolean; hours: boolean; services: boolean }

/** A step is done when its section was saved or confirmed unchanged, or when the process is configured. */
function stepsOf(row: Row, changed: Changed, process: ProcessState) {
  const isConfirmed = (step: OnboardingStep) => row.confirmed_steps.includes(step)
  const done: Record<OnboardingStep, boolean> = {
    shop: changed.shop,
    hours: changed.hours || isConfirmed('hours'),
    services: changed.services || isConfirmed('services'),
    email: process.canSendEmail,
    payments: process.payments === 'stripe',
    password: !row.has_first_password,
  }
  return (Object.keys(done) as OnboardingStep[]).map((id) => ({ id, isDone: done[id] }))
}

async function readChanged(query: Query): Promise<Changed> {
  const [row] = rowsAs<Changed>(
    await query(
      `select exists (select from public.settings_history where section = 'shop') as shop,
         exists (select from public.settings_history where section in ('hours', 'closures')) as hours,
         exists (select from public.settings_history where section = 'services') as services`,
    ),
  )
  return row ?? { shop: false, hours: false, services: false }
}

async function canFill(query: Query, { payments }: ProcessState): Promise<boolean> {
  if (payments === 'stripe') return false
  const [row] = rowsAs<{ can_fill: boolean }>(
    await query('select internal.can_fill_sample_week() as can_fill'),
  )
  return row?.can_fill ?? false
}
