import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { StaffRole } from '#contracts/staff-accounts.ts'

type StaffAccount = {
  readonly username: string
  /** The displayed name. */
  readonly name: string
  readonly role: StaffRole
}

/** Without a context provider, the role is 'technician', the role with the fewest rights. */
const StaffAccountContext = createContext<
  StaffAccount & { readonly rename: (name: string) => void }
>({ username: '', name: '', role: 'technician', rename: () => {} })

export function StaffAccountProvider({
  children,
  username,
  name,
  role,
}: StaffAccount & { children: ReactNode }) {
  const [newName, rename] = useState<string>()
  const account = useMemo(
    () => ({ username, name: newName ?? name, role, rename }),
    [username, newName, name, role],
  )
  return <StaffAccountContext value={account}>{children}</StaffAccountContext>
}

/** The signed-in staff account. */
export function useStaffAccount(): StaffAccount {
  return useContext(StaffAccountContext)
}

/**
 * Returns the function that updates the displayed name of the signed-in user on the page, after the server has saved
 * the new name.
 */
export function useRename(): (name: string) => void {
  return useContext(StaffAccountContext).rename
}

export function useIsOwner(): boolean {
  return useStaffAccount().role === 'owner'
}

/**
 * Shows `children`, such as a button, to owners only. The database itself also refuses the action of such a button to
 * every other role.
 */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useIsOwner() ? children : null
}
