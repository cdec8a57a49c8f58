import type { SettingsSection } from '#contracts/dashboard-paths.ts'
import type { ConfirmableOnboardingStep, OnboardingStep } from '#contracts/onboarding.ts'

type StepText = {
  readonly label: string
  /** The section of the settings for this step; undefined for a step without a page. */
  readonly section?: SettingsSection
}

/** The label and the link of each step. */
export const stepText: Readonly<Record<OnboardingStep, StepText>> = {
  shop: { label: 'Name, address, phone', section: 'shop' },
  hours: { label: 'Opening hours', section: 'hours' },
  services: { label: 'Services and minutes', section: 'services' },
  email: { label: 'Set up email', section: 'email' },
  payments: { label: 'Card payments', section: 'payments' },
  password: { label: 'Choose your own password' },
}

/** Whether the owner can confirm the step without changing anything. */
export const isConfirmable = (step: OnboardingStep): step is ConfirmableOnboardingStep =>
  step === 'hours' || step === 'services'

type Steps = readonly { readonly isDone: boolean }[]

/** The progress in words: 'Set up your shop: 3 of 6 done'. */
export const formatProgress = (steps: Steps) =>
  `Set up your shop: ${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`
