import { expect, it } from 'vitest'
import { sharedOnboardingSteps } from '#contracts/onboarding.ts'
import { listSections } from '#web/dashboard/features/settings/sections.tsx'
import { listSteps, stepText } from '#web/dashboard/features/onboarding/step-text.ts'

const allSteps = (isDone: boolean) =>
  (Object.keys(stepText) as (keyof typeof stepText)[]).map((id) => ({ id, isDone }))
const progressOf = (steps: ReturnType<typeof allSteps> | null) => ({
  steps,
  isHidden: false,
  hasSampleWeek: false,
  canFillSampleWeek: false,
  canSendEmail: true,
})

it('an advisor sees exactly the setup steps whose settings section advisors can open', () => {
  const sections = new Set(listSections(false).map(({ id }) => id))
  const shared = allSteps(false).filter(({ id }) => {
    const { section } = stepText[id]
    return section !== undefined && sections.has(section)
  })
  expect(shared.map(({ id }) => id)).toEqual(sharedOnboardingSteps)
  expect(listSteps(progressOf(allSteps(false)), false)).toEqual(shared)
})

it('an owner sees all setup steps', () => {
  expect(listSteps(progressOf(allSteps(false)), true)).toEqual(allSteps(false))
})

it('no user sees setup steps that are done or hidden', () => {
  expect(listSteps(progressOf(allSteps(true)), false)).toBeNull()
  expect(listSteps(progressOf(null), true)).toBeNull()
})
