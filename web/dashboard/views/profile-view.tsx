import { PasskeysSection } from '#web/dashboard/features/passkeys/passkeys-section.tsx'
import { CodeAppSection } from '#web/dashboard/features/code-app/code-app-section.tsx'
import { ProfilePage } from '#web/dashboard/features/profile/profile-page.tsx'

export function ProfileView() {
  return <ProfilePage signInMethods={<PasskeysSection />} secondStep={<CodeAppSection />} />
}
