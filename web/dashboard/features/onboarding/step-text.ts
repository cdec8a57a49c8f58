import type { ConfirmableOnboardingStep, OnboardingStep } from '#contracts/onboarding.ts'

type StepText = {
  readonly label: string
  /** The query string of the section of the settings where it is done; none for what no page can do. */
  readonly search?: string
}

const inSection = (section: string) => `?tab=settings&section=${section}`

/** What each step is called, and where it leads. */
export const stepText: Readonly<Record<OnboardingStep, StepText>> = {
  shop: { label: 'Name, address, phone', search: inSection('shop') },
  hours: { label: 'Opening hours', search: inSection('hours') },
  services: { label: 'Services and minutes', search: inSection('services') },
  email: { label: 'Set up email', search: inSection('email') },
  payments: { label: 'Card payments', search: inSection('payments') },
  password: { label: 'Choose your own password' },
}

/** Whether a step can be right as it is, with nothing to save. */
export const isConfirmable = (step: OnboardingStep): step is ConfirmableOnboardingStep =>
  step === 'hours' || step === 'services'

type Steps = readonly { readonly isDone: boolean }[]

/** 'Set up your shop: 3 of 6 done' */
export const formatProgress = (steps: Steps) =>
  `Set up your shop: ${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`
