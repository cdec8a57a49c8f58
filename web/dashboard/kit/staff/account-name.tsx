import type { StaffRole } from '#contracts/staff-accounts.ts'
import { roleNames } from '#contracts/staff-accounts.ts'
import { firstNameOf, initialsOf } from './account-text.ts'
import './account-link.css'

/** Initials, first name and role of a person in the bar; in narrow windows only the initials. */
export function AccountName({ name, role }: { name: string; role: StaffRole }) {
  return (
    <>
      <i aria-hidden="true">{initialsOf(name)}</i>
      <span>
        <b>{firstNameOf(name)}</b>
        <small>{roleNames[role]}</small>
      </span>
    </>
  )
}
