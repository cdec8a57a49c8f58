import type { SettingsSection } from '#contracts/dashboard-paths.ts'
import {
  type ConfirmableOnboardingStep,
  type Onboarding,
  type OnboardingStep,
  sharedOnboardingSteps,
} from '#contracts/onboarding.ts'

type StepText = {
  readonly label: string
  /**
   * The settings section in which the user does this step; undefined for the step that changes the password on the
   * profile page.
   */
  readonly section?: SettingsSection
}

/** The label and the settings section of each setup step. */
export const stepText: Readonly<Record<OnboardingStep, StepText>> = {
  shop: { label: 'Name, address, phones, emails', section: 'shop' },
  hours: { label: 'Opening hours', section: 'hours' },
  bays: { label: 'Bays', section: 'bays' },
  services: { label: 'Services and durations', section: 'services' },
  labor: { label: 'Labor rate', section: 'estimates' },
  tax: { label: 'Sales tax', section: 'estimates' },
  registration: { label: 'BAR registration number', section: 'estimates' },
  email: { label: 'Set up email', section: 'email' },
  payments: { label: 'Card payments', section: 'payments' },
  password: { label: 'Set your own password' },
}

/** Whether the owner can mark the step as done without changing a setting. */
export const isConfirmable = (step: OnboardingStep): step is ConfirmableOnboardingStep =>
  confirmableSteps.includes(step)

const confirmableSteps: readonly OnboardingStep[] = [
  'hours',
  'bays',
  'services',
  'labor',
  'tax',
] satisfies readonly ConfirmableOnboardingStep[]

type Steps = NonNullable<Onboarding['steps']>

/** Returns the setup steps that the user's role permits; null if all of them are done. */
export function listSteps({ steps }: Onboarding, isOwner: boolean): Steps | null {
  const own = (steps ?? []).filter(({ id }) => isOwner || sharedOnboardingSteps.includes(id))
  return own.some(({ isDone }) => !isDone) ? own : null
}

/** Returns the progress of the setup: 'Set up your shop: 3 of 6 done'. */
export const formatProgress = (steps: Steps) =>
  `Set up your shop: ${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`
