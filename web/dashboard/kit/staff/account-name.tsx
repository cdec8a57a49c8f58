import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'
import { firstNameOf, initialsOf } from './account-text.ts'
import './account-link.css'

/** The initials, first name and role of a person in the bar. Narrow windows show only the initials. */
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
