import { type Profile, profileEndpoints } from '#contracts/profile.ts'
import { useRename } from '#web/dashboard/kit/staff/staff-role.tsx'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ProfileForm } from './profile-form.tsx'
import { useProfileChange } from './use-profile.ts'

/** Changes the displayed name and the email address of the staff account. The username never changes. */
export function AccountCard({ profile }: { profile: Profile }) {
  const rename = useRename()
  const name = useProfileChange(
    (value: string) => callAsAdmin(profileEndpoints.changeName, { name: value }),
    (changed) => {
      rename(changed.name)
      toast({ title: 'Saved', description: `Your name is ${changed.name}.` })
    },
  )
  const email = useProfileChange(
    (value: string) => callAsAdmin(profileEndpoints.changeEmail, { email: value }),
    (changed) => toast({ title: 'Saved', description: `Your email address is ${changed.email}.` }),
  )
  return (
    <section className="card profile-card" aria-labelledby="profile-account">
      <header>
        <h3 id="profile-account">Name and email</h3>
      </header>
      <ProfileForm
        field={{ label: 'Name', autoComplete: 'name' }}
        initial={profile.name}
        missing="Please enter your name."
        submit="Save name"
        change={name}
        onSubmit={name.run}
      />
      <ProfileForm
        field={{ label: 'Email', type: 'email', autoComplete: 'email' }}
        initial={profile.email ?? ''}
        missing="Please enter your email address."
        submit="Change email"
        action="change your email address"
        change={email}
        onSubmit={email.run}
      />
    </section>
  )
}
