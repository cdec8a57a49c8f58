import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'

/** Only a new shop loads the code of the steps, beside that of its first view. */
const OnboardingSteps = lazyComponent(
  async () => (await import('./onboarding-steps.tsx')).OnboardingSteps,
  null,
)

/** The onboarding steps of a new shop. Renders nothing once they are done or hidden. */
export function OnboardingCard({ username }: { username: string }) {
  const progress = useOnboarding()
  if (!progress?.steps) return null
  return <OnboardingSteps username={username} steps={progress.steps} progress={progress} />
}
