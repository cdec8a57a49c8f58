import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router'
import { SampleWeekBanner } from '#web/dashboard/features/onboarding/sample-week-banner.tsx'
import { OnboardingCard } from '#web/dashboard/features/onboarding/onboarding-card.tsx'
import { OutboxNotice } from '#web/dashboard/features/outbox/outbox-notice.tsx'
import { OpenPayment } from '#web/dashboard/features/payments/open-payment.tsx'
import { OpenSearch, SearchButton } from '#web/dashboard/features/search/search-button.tsx'
import { LazyDataUnavailableNotice } from '#web/dashboard/features/session/lazy-session-parts.ts'
import { logOutAndGo } from '#web/dashboard/features/session/log-out-and-go.ts'
import { useSession } from '#web/dashboard/features/session/use-session.ts'
import { todayKey } from '#web/dashboard/features/today/today-key.ts'
import { TodayLink } from '#web/dashboard/features/today/today-link.tsx'
import { useOpenWork } from '#web/dashboard/features/today/use-open-work.ts'
import { type Tab, type TabCount, TabList, TabPanel } from '#web/dashboard/kit/controls/tabs.tsx'
import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { useAnnouncements } from '#web/dashboard/kit/live/use-announcements.ts'
import { outboxLink, settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { rememberTab } from '#web/dashboard/kit/navigation/remembered-views.ts'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { AccountLink } from '#web/dashboard/kit/staff/account-link.tsx'
import { UnsavedChangesDialog } from '#web/dashboard/kit/navigation/unsaved-changes-dialog.tsx'
import { useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'

const tabs = [
  { id: 'appointments', label: 'Appointments', icon: 'calendar' },
  { id: 'tasks', label: 'Task Management', icon: 'clipboard' },
  { id: 'quotes', label: 'Quote Requests', icon: 'message' },
  { id: 'invoices', label: 'Invoices', icon: 'receipt' },
] as const satisfies readonly Tab<string>[]

export type TabId = (typeof tabs)[number]['id']

/** The bar of the dashboard with its four tabs. Below the bar is the view of the current URL. */
export function DashboardLayout() {
  useLiveBookings()
  useLiveBookings(todayKey)
  useRefetchOnLiveEvent('settings', refetchedKeys.settings)
  useRefetchOnLiveEvent('tasks', refetchedKeys.tasks)
  useRefetchOnLiveEvent('estimates', refetchedKeys.estimates)
  useRefetchOnLiveEvent('invoices', refetchedKeys.invoices)
  useRefetchOnLiveEvent('cash', refetchedKeys.cash)
  useRefetchOnLiveEvent('quotes', refetchedKeys.quotes)
  useAnnouncements()
  const session = useSession()
  const tab = useSelectedTab()
  const canSendEmail = useCanSendEmail()
  if (session.state !== 'signed-in') return null
  return (
    <>
      <DashboardBar tab={tab} />
      {tab && !canSendEmail && <OutboxNotice />}
      <SampleWeekBanner />
      <main className="dashboard-main" id="main" tabIndex={-1}>
        {session.isWithoutData && <DataUnavailable />}
        {tab === 'appointments' && <OnboardingCard />}
        {tab ? (
          <TabPanel id={tab}>
            <Outlet />
          </TabPanel>
        ) : (
          <Outlet />
        )}
        {tab && (
          <p className="dashboard-foot">
            <Link className="touch-link" {...outboxLink}>
              All emails
            </Link>
          </p>
        )}
      </main>
      <OpenPayment />
      <OpenSearch />
      <UnsavedChangesDialog />
    </>
  )
}

function useSelectedTab(): TabId | undefined {
  return useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.tab)?.staticData.tab,
  })
}

function DashboardBar({ tab }: { tab: TabId | undefined }) {
  const navigate = useNavigate()
  return (
    <div className="dashboard-bar" role="region" aria-label="Dashboard">
      <TodayLink />
      <TabList
        label="Dashboard"
        tabs={tabs}
        counts={useCounts()}
        selected={tab}
        onSelect={(id) => {
          rememberTab(id)
          void navigate({ to: `/${id}` })
        }}
      />
      <SearchButton />
      <Link
        className={buttonClass('quiet', { compact: true, className: 'settings-link' })}
        {...settingsLink()}
      >
        <Icon name="gear" />
        <span>Settings</span>
      </Link>
      <AccountLink />
      <Button
        compact
        level="quiet"
        className="logout"
        onClick={() => discardThen(() => void logOutAndGo())}
      >
        <Icon name="logout" />
        <span>Logout</span>
      </Button>
    </div>
  )
}

/** The number of open work items on each tab (docs/product.md 2.7). */
function useCounts(): { readonly [id in TabId]: TabCount } | undefined {
  const { data } = useOpenWork()
  if (!data) return undefined
  return {
    appointments: { count: data.appointments, meaning: 'open today' },
    tasks: { count: data.tasks, meaning: 'open' },
    quotes: { count: data.quotes, meaning: 'pending' },
    invoices: { count: data.invoices, meaning: 'unpaid' },
  }
}

function DataUnavailable() {
  const queries = useQueryClient()
  return <LazyDataUnavailableNotice onRenewed={() => void queries.invalidateQueries()} />
}

/**
 * The query keys of the data that the dashboard refetches after a live event, by kind of event (docs/product.md 2.10,
 * 2.11, 12.7 and 15.15).
 */
const refetchedKeys = {
  // A change of the settings also refetches the bookings, because the day view depends on bays, hours and services.
  settings: ['settings', 'settings_history', 'bookings', 'services'],
  // A change of a task also refetches the Today page and the counts in the bar of the dashboard, which count the open
  // tasks.
  tasks: ['tasks', 'today'],
  // A change of an estimate also refetches tasks and quote requests: approved jobs become tasks, and a quote request
  // shows its estimate.
  estimates: ['estimates', 'tasks', 'quotes'],
  // A payment also refetches estimates, bookings, tasks, the Today page and the day close, which show paid amounts or
  // states that depend on a payment.
  invoices: ['invoices', 'estimates', 'bookings', 'tasks', 'today', 'day_close'],
  // A cash movement or the close of a day also refetches the Today page, which lists the days that staff have not
  // closed.
  cash: ['day_close', 'today'],
  // A quote request also refetches the Today page, which lists the unanswered quote requests.
  quotes: ['quotes', 'today'],
}
