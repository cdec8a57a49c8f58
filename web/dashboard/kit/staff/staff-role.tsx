import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { StaffRole } from '#contracts/staff-accounts.ts'

type StaffAccount = { readonly username: string; readonly role: StaffRole }

/** Without a provider the page shows the least. */
const StaffAccountContext = createContext<StaffAccount>({ username: '', role: 'technician' })

export function StaffAccountProvider({
  children,
  username,
  role,
}: StaffAccount & { children: ReactNode }) {
  const account = useMemo(() => ({ username, role }), [username, role])
  return <StaffAccountContext value={account}>{children}</StaffAccountContext>
}

/** The signed-in staff account. */
export function useStaffAccount(): StaffAccount {
  return useContext(StaffAccountContext)
}

export function useIsOwner(): boolean {
  return useStaffAccount().role === 'owner'
}

/** Shows its children to owners only. The database refuses the action of other roles. */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useIsOwner() ? children : null
}
