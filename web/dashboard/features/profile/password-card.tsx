import { useState } from 'react'
import { profileEndpoints } from '#contracts/profile.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ProfileForm } from './profile-form.tsx'
import { useProfileChange } from './use-profile.ts'

/** Changes the password. Step-up authentication asks for the current password. */
export function PasswordCard() {
  const [changes, setChanges] = useState(0)
  const change = useProfileChange(
    (password: string) => callAsAdmin(profileEndpoints.changePassword, { password }),
    () => {
      // After the change React renders a new, empty form, so that the password does not stay on the screen.
      setChanges((before) => before + 1)
      toast({ title: 'Password changed', description: 'Every other device is signed out.' })
    },
  )
  return (
    <section className="card profile-card" aria-labelledby="profile-password">
      <header>
        <h3 id="profile-password">Password</h3>
      </header>
      <ProfileForm
        key={changes}
        field={{
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          hint: 'At least 12 characters. A new password signs out every other device.',
        }}
        initial=""
        missing="Please enter a new password."
        submit="Change password"
        action="change your password"
        change={change}
        onSubmit={change.run}
      />
    </section>
  )
}
