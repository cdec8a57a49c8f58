import { Link } from '@tanstack/react-router'
import { roleNames } from '#contracts/staff-accounts.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useStaffAccount } from './staff-role.tsx'

/** Replaces a page that the role of the signed-in staff account may not open. */
export function NotForRole({ page }: { page: string }) {
  const { username, role } = useStaffAccount()
  return (
    <Notice title={`${page} is for the owner`}>
      You are signed in as {username}, {roleNames[role]}.{' '}
      <Link to="/appointments">Back to Appointments</Link>
    </Notice>
  )
}
