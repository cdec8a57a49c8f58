import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'

/** The first name in the bar: 'Lena' of 'Lena Marsh'. */
export const firstNameOf = (name: string) => name.trim().split(/\s+/)[0] ?? ''

/** The initials of the first and the last name: 'LM' for 'Lena Marsh'. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word) => Array.from(word ?? '')[0] ?? '',
  )
  return letters.join('').toUpperCase()
}

/** The name of the link to the profile for screen readers: 'Lena Marsh, Owner. Profile and sessions'. */
export const accountLabel = ({ name, role }: { readonly name: string; readonly role: StaffRole }) =>
  `${name}, ${roleNames[role]}. Profile and sessions`
