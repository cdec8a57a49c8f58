import { initialsOf } from '#web/dashboard/kit/staff/account-text.ts'

/** The initials of a team member, as a picture beside the name. */
export function Initials({ name, look }: { name: string; look: 'on' | 'off' | 'invited' }) {
  return (
    <i className={`initials initials-${look}`} aria-hidden="true">
      {initialsOf(name)}
    </i>
  )
}
