import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import { AdminNav } from './admin-nav.tsx'
import { paths } from '#web/lib/paths.ts'
import { SampleWeekBanner } from '#web/dashboard/features/onboarding/sample-week-banner.tsx'
import { OnboardingCard } from '#web/dashboard/features/onboarding/onboarding-card.tsx'
import { useNewBookings } from '#web/dashboard/kit/live/use-new-bookings.ts'
import { LoginCard } from '#web/dashboard/features/session/login-card.tsx'
import { OutboxNotice } from '#web/dashboard/features/outbox/outbox-notice.tsx'
import { SearchButton, SearchPanel } from '#web/dashboard/features/search/search-button.tsx'
import { SessionEndedDialog } from '#web/dashboard/features/session/session-ended-dialog.tsx'
import { TodayLink } from '#web/dashboard/features/today/today-link.tsx'
import { todayKey } from '#web/dashboard/features/today/today-key.ts'
import {
  checkSession,
  logOut,
  onSignedIn,
  renewSession,
} from '#web/dashboard/features/session/session-store.ts'
import { DataUnavailableNotice } from '#web/dashboard/features/session/data-unavailable-notice.tsx'
import { useSession } from '#web/dashboard/features/session/use-session.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { navigateAfterConfirm } from '#web/dashboard/kit/navigation/unsaved-changes-guard.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { onSessionRefused } from '#web/lib/data/session-renewal.ts'
import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { setOnboarding, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useLiveBookings } from '#web/dashboard/kit/live/use-live-bookings.ts'
import { useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { type Tab, TabList, TabPanel } from '#web/dashboard/kit/controls/tabs.tsx'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'
import { DashboardView, dashboardViews } from './dashboard-views.tsx'
import './admin-dashboard.css'

const tabs = [
  { id: 'appointments', label: 'Appointments', icon: 'calendar' },
  { id: 'tasks', label: 'Task Management', icon: 'clipboard' },
  { id: 'quotes', label: 'Quote Requests', icon: 'message' },
  { id: 'invoices', label: 'Invoices', icon: 'receipt' },
] as const satisfies readonly Tab<string>[]

type TabId = (typeof tabs)[number]['id']
/** A view of the dashboard: a tab, or a page without a tab. */
type View = TabId | (typeof dashboardViews)[number]

const AppointmentsTab = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/appointments/appointments-tab.tsx')).AppointmentsTab,
  <Skeleton />,
)
const DayView = lazyComponent(
  async () => (await import('#web/dashboard/features/day/day-view.tsx')).DayView,
  <Skeleton />,
)
const QuickAddPanel = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/day/phone-booking/phone-booking-panel.tsx'))
      .PhoneBookingPanel,
  null,
)
const TasksTab = lazyComponent(
  async () => (await import('#web/dashboard/features/tasks/tasks-tab.tsx')).TasksTab,
  <Skeleton />,
)
const CreateTaskDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/create-task-dialog.tsx')).CreateTaskDialog,
  null,
)
const ConvertBookingDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/convert-booking-dialog.tsx'))
      .ConvertBookingDialog,
  null,
)
const QuotesTab = lazyComponent(
  async () => (await import('#web/dashboard/features/quotes/quotes-tab.tsx')).QuotesTab,
  <Skeleton />,
)
const InvoicesTab = lazyComponent(
  async () => (await import('#web/dashboard/features/invoices/invoices-tab.tsx')).InvoicesTab,
  <Skeleton />,
)
const EstimateList = lazyComponent(
  async () => (await import('#web/dashboard/features/estimates/estimate-list.tsx')).EstimateList,
  null,
)
const EstimatePage = lazyComponent(
  async () => (await import('#web/dashboard/features/estimates/estimate-page.tsx')).EstimatePage,
  <Skeleton />,
)

/** The component of each tab, loaded on demand. */
const codeOf = {
  appointments: AppointmentsTab,
  tasks: TasksTab,
  quotes: QuotesTab,
  invoices: InvoicesTab,
} as const satisfies Record<TabId, { preload: () => void }>

const todayLink = '?tab=today'
const settingsLink = '?tab=settings'
const outboxLink = '?tab=outbox'
const rememberedTabKey = 'admin_tab'

onSessionRefused(renewSession)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Retry only a lost connection. A refusal (status above 0) is final.
      retry: (failures, error) => failures < 2 && !(error instanceof DataError && error.status > 0),
    },
    // Without a connection a mutation fails. By default it would be queued and run later, when the user no
    // longer expects it.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache(),
  mutationCache: new MutationCache({
    // Any saved change may resolve an item of the Today page, so the page fetches its data again.
    onSuccess: () => void refetchQueries(queries, todayKey),
  }),
})

onSignedIn(({ onboarding }) => setOnboarding(queries, onboarding))

/** The login card, or the dashboard with its four tabs. */
export function AdminDashboardPage() {
  const session = useSession()
  useEffect(() => {
    void checkSession()
    // Preload the code of the first tab while the session is checked.
    const first = viewOf(new URLSearchParams(location.search), rememberedTab())
    if (isTab(first)) codeOf[first].preload()
  }, [])
  return (
    <div className="dashboard">
      <AdminNav />
      {session.state === 'signed-in' ? (
        <QueryClientProvider client={queries}>
          <Dashboard username={session.username} isWithoutData={session.isWithoutData} />
          {session.hasEnded && <SessionEndedDialog username={session.username} />}
        </QueryClientProvider>
      ) : (
        <LoginCard isChecking={session.state === 'checking'} />
      )}
    </div>
  )
}

function Dashboard({ username, isWithoutData }: { username: string; isWithoutData: boolean }) {
  useLiveBookings()
  useRefetchOnLiveEvent('settings', refetchedKeys.settings)
  useRefetchOnLiveEvent('estimates', refetchedKeys.estimates)
  useRefetchOnLiveEvent('invoices', refetchedKeys.invoices)
  useRefetchOnLiveEvent('quotes', refetchedKeys.quotes)
  useNewBookings()
  const [view, show] = useView()
  const [invoicePrefill, setInvoicePrefill] = useState<InvoicePrefill>()
  const [isSearching, setIsSearching] = useState(false)
  const canSendEmail = useCanSendEmail()
  // Discard the invoice prefill when the user navigates by hand.
  const forgetPrefill = () => setInvoicePrefill(undefined)
  const select = (next: TabId) => {
    forgetPrefill()
    show(next)
  }
  const createInvoice = (prefill: InvoicePrefill) => {
    setInvoicePrefill(prefill)
    show('invoices')
  }
  const logOutAndGo = async () => {
    try {
      await logOut()
    } finally {
      window.location.assign(paths.home)
    }
  }
  const tab = isTab(view) ? view : undefined
  const linked = isTab(view) ? undefined : view
  return (
    <>
      <div className="dashboard-bar" role="region" aria-label="Dashboard">
        <TodayLink search={todayLink} isHere={view === 'today'} onFollow={forgetPrefill} />
        <TabList label="Dashboard" tabs={tabs} selected={tab} onSelect={select} />
        <SearchButton onSearch={() => setIsSearching(true)} />
        <SearchLink
          className="action action-quiet settings-link"
          search={settingsLink}
          onFollow={forgetPrefill}
          aria-current={view === 'settings' ? 'page' : undefined}
        >
          <Icon name="gear" />
          <span>Settings</span>
        </SearchLink>
        <button
          className="action action-quiet logout"
          type="button"
          onClick={() => navigateAfterConfirm(() => void logOutAndGo())}
        >
          <Icon name="logout" />
          <span>Logout</span>
        </button>
      </div>
      {tab && !canSendEmail && <OutboxNotice search={outboxLink} onFollow={forgetPrefill} />}
      <SampleWeekBanner />
      <main className="dashboard-main" id="main" tabIndex={-1}>
        {isWithoutData && (
          <DataUnavailableNotice onRenewed={() => void queries.invalidateQueries()} />
        )}
        {tab === 'appointments' && <OnboardingCard username={username} onFollow={forgetPrefill} />}
        {tab && (
          <TabPanel id={tab}>
            <SelectedTab
              id={tab}
              username={username}
              invoicePrefill={invoicePrefill}
              onCreateInvoice={createInvoice}
            />
          </TabPanel>
        )}
        {linked && (
          <DashboardView
            view={linked}
            BookingPanel={QuickAddPanel}
            onSearch={() => setIsSearching(true)}
          />
        )}
        {tab && (
          <p className="dashboard-foot">
            <SearchLink search={outboxLink} onFollow={forgetPrefill}>
              All emails
            </SearchLink>
          </p>
        )}
      </main>
      {isSearching && <SearchPanel onClose={() => setIsSearching(false)} />}
    </>
  )
}

type SelectedTabProps = {
  id: TabId
  username: string
  invoicePrefill: InvoicePrefill | undefined
  onCreateInvoice: (prefill: InvoicePrefill) => void
}

/**
 * The content of the selected tab. Features never import one another, so the steps from one feature to
 * another are connected here.
 */
function SelectedTab({ id, username, invoicePrefill, onCreateInvoice }: SelectedTabProps) {
  const [converting, setConverting] = useState<Booking>()
  const [newTask, setNewTask] = useState<{ title: string; description: string }>()
  const [params] = useSearchParams()
  const estimateId = params.get('estimate')
  switch (id) {
    case 'appointments':
      return (
        <>
          <AppointmentsTab
            onAddToTasks={setConverting}
            DayView={DayView}
            BookingPanel={QuickAddPanel}
          />
          {converting && (
            <ConvertBookingDialog booking={converting} onClose={() => setConverting(undefined)} />
          )}
        </>
      )
    case 'tasks':
      return <TasksTab author={username} />
    case 'quotes':
      return (
        <>
          <QuotesTab onCreateTask={setNewTask} onCreateInvoice={onCreateInvoice} />
          {newTask && <CreateTaskDialog prefill={newTask} onClose={() => setNewTask(undefined)} />}
        </>
      )
    case 'invoices':
      return estimateId ? (
        <EstimatePage key={estimateId} id={estimateId} />
      ) : (
        <>
          <EstimateList />
          <InvoicesTab prefill={invoicePrefill} />
        </>
      )
  }
}

/**
 * The view in the address, else the tab used last. Selecting a tab removes every other search parameter from
 * the address.
 */
function useView(): [View, (tab: TabId) => void] {
  const [params, change] = useSearchParams()
  // Keeps the value from page load, so that Back to an address without a tab shows the same tab again.
  const [remembered] = useState(rememberedTab)
  const show = (next: TabId) =>
    navigateAfterConfirm(() => {
      localStorage.setItem(rememberedTabKey, next)
      change({ ...Object.fromEntries([...params.keys()].map((name) => [name, null])), tab: next })
    })
  return [viewOf(params, remembered), show]
}

const rememberedTab = () => localStorage.getItem(rememberedTabKey)

const isTab = (view: View): view is TabId => tabs.some(({ id }) => id === view)

function viewOf(params: URLSearchParams, remembered: string | null): View {
  const requested = params.get('tab') ?? remembered
  const views = [...tabs.map(({ id }) => id), ...dashboardViews]
  return views.find((view) => view === requested) ?? 'appointments'
}

/** The query keys that each live event refetches (docs/product.md 2.10, 2.11, 12.7 and 15.15). */
const refetchedKeys = {
  // Bays, hours and services also change the day view.
  settings: ['settings', 'settings_history', 'bookings', 'services'],
  // Approved jobs become tasks, and a quote request shows its estimate.
  estimates: ['estimates', 'tasks', 'quotes'],
  // A payment also changes the estimate, the state of the vehicle and the payments on Today.
  invoices: ['invoices', 'estimates', 'bookings', 'tasks', 'today'],
  // Today lists the unanswered quote requests.
  quotes: ['quotes', 'today'],
}
