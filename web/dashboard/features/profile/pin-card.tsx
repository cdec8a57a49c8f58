import { useState } from 'react'
import { type Profile, profileEndpoints } from '#contracts/profile.ts'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ProfileForm } from './profile-form.tsx'
import { useProfileChange } from './use-profile.ts'

async function savePin(pin: string) {
  const saved = await callAsAdmin(tabletEndpoints.setPin, { pin })
  return saved.ok ? callAsAdmin(profileEndpoints.read) : saved
}

/** The card in which a team member sets the PIN for the shop's shared tablets. */
export function PinCard({ profile: { pinSince } }: { profile: Profile }) {
  const [changes, setChanges] = useState(0)
  const change = useProfileChange(savePin, () => {
    // After the change React renders a new, empty form, so that the PIN does not stay on the screen.
    setChanges((before) => before + 1)
    toast({ title: 'PIN saved', description: 'The PIN opens every shared tablet of the shop.' })
  })
  return (
    <section className="card profile-card" aria-labelledby="profile-pin">
      <header>
        <div>
          <h3 id="profile-pin">Tablet PIN</h3>
          <p>
            For the shared tablets, technician rights only.
            {pinSince !== null && ` Set on ${formatInstantDate(pinSince)}.`}
          </p>
        </div>
      </header>
      <ProfileForm
        key={changes}
        field={{
          label: 'New PIN',
          type: 'password',
          autoComplete: 'off',
          inputMode: 'numeric',
          maxLength: 6,
          hint: '4 to 6 digits, not all the same and not a sequence such as 1234.',
        }}
        initial=""
        missing="Please enter a PIN."
        submit={pinSince === null ? 'Set a PIN' : 'Change the PIN'}
        action="set your PIN"
        change={change}
        onSubmit={change.run}
      />
    </section>
  )
}
