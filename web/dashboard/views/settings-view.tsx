import { OnboardingLink } from '#web/dashboard/features/onboarding/onboarding-link.tsx'
import { SettingsView as Settings } from '#web/dashboard/features/settings/settings-view.tsx'

export function SettingsView() {
  return <Settings listEnd={<OnboardingLink />} />
}
