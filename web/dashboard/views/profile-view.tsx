import { PasskeysSection } from '#web/dashboard/features/passkeys/passkeys-section.tsx'
import { ProfilePage } from '#web/dashboard/features/profile/profile-page.tsx'

export function ProfileView() {
  return <ProfilePage signInMethods={<PasskeysSection />} />
}
