import { dashboardPath } from '#contracts/dashboard-paths.ts'
import { logOutAndGo } from '#web/dashboard/features/session/log-out-and-go.ts'
import { TechnicianDay } from '#web/dashboard/features/technician/technician-day.tsx'
import { AccountName } from '#web/dashboard/kit/staff/account-name.tsx'
import { accountLabel } from '#web/dashboard/kit/staff/account-text.ts'
import { useStaffAccount } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { views } from './lazy-views.tsx'
import './technician-dashboard.css'

const dayAddress = `${dashboardPath}/day`

/** The pages that technicians are not allowed to open, by the first part of their path below `dashboardPath`. */
const forbiddenPages: Readonly<Record<string, string>> = {
  today: 'Today',
  tasks: 'Task Management',
  quotes: 'Quote Requests',
  invoices: 'Invoices',
  estimates: 'Estimates',
  customers: 'Customers',
  vehicles: 'Vehicles',
  settings: 'Settings',
  outbox: 'All emails',
  'day-close': 'Close the day',
  receipts: 'Receipts',
}

/** The dashboard of a technician, which contains only the technician's day and the profile. */
export function TechnicianDashboard() {
  const account = useStaffAccount()
  const { username } = account
  const [, part = ''] = window.location.pathname.slice(dashboardPath.length).split('/')
  const forbidden = forbiddenPages[part]
  const isProfile = part === 'profile'
  return (
    <>
      <div className="dashboard-bar technician-bar" role="region" aria-label="Dashboard">
        <h1>Admin Dashboard</h1>
        <nav aria-label="Dashboard">
          <a href={dayAddress} aria-current={forbidden || isProfile ? undefined : 'page'}>
            <Icon name="calendar" />
            Day
          </a>
        </nav>
        <a
          className="account-link"
          href={`${dashboardPath}/profile`}
          aria-label={accountLabel(account)}
          aria-current={isProfile ? 'page' : undefined}
        >
          <AccountName {...account} />
        </a>
        <Button
          compact
          level="quiet"
          className="technician-logout"
          onClick={() => void logOutAndGo()}
        >
          <Icon name="logout" />
          <span>Logout</span>
        </Button>
      </div>
      <main className="dashboard-main" id="main" tabIndex={-1}>
        {isProfile ? (
          <views.profile />
        ) : forbidden ? (
          <Notice title={`${forbidden} is not for technicians`}>
            You are signed in as {username}, Technician.{' '}
            <a href={dayAddress}>Back to Appointments</a>
          </Notice>
        ) : (
          <TechnicianDay />
        )}
      </main>
    </>
  )
}
