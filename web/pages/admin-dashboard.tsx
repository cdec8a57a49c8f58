import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { AdminStrip } from '#web/app/admin-strip.tsx'
import { paths } from '#web/app/paths.ts'
import { LoginCard } from '#web/features/admin-session/login-card.tsx'
import { SessionEndedDialog } from '#web/features/admin-session/session-ended-dialog.tsx'
import { checkSession, logOut, renewSession } from '#web/features/admin-session/session-store.ts'
import { useSession } from '#web/features/admin-session/use-session.ts'
import { DataRefusal } from '#web/lib/ask-data.ts'
import { onSessionRefused } from '#web/lib/session-renewal.ts'
import { useSearchParams } from '#web/lib/use-search-params.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Tab, TabList, TabPanel } from '#web/ui/tabs.tsx'

const tabs = [
  { id: 'appointments', label: 'Appointments', icon: 'calendar' },
  { id: 'tasks', label: 'Task Management', icon: 'clipboard' },
  { id: 'quotes', label: 'Quote Requests', icon: 'message' },
  { id: 'invoices', label: 'Invoices', icon: 'receipt' },
] as const satisfies readonly Tab<string>[]

type TabId = (typeof tabs)[number]['id']

const AppointmentsTab = lazy(async () => ({
  default: (await import('#web/features/admin-appointments/appointments-tab.tsx')).AppointmentsTab,
}))
const TasksTab = lazy(async () => ({
  default: (await import('#web/features/admin-tasks/tasks-tab.tsx')).TasksTab,
}))
const ConvertBookingDialog = lazy(async () => ({
  default: (await import('#web/features/admin-tasks/convert-booking-dialog.tsx'))
    .ConvertBookingDialog,
}))
const QuotesTab = lazy(async () => ({
  default: (await import('#web/features/admin-quotes/quotes-tab.tsx')).QuotesTab,
}))
const InvoicesTab = lazy(async () => ({
  default: (await import('#web/features/admin-invoices/invoices-tab.tsx')).InvoicesTab,
}))

const REMEMBERED_TAB = 'admin_tab'

onSessionRefused(renewSession)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal is an answer; only a lost connection is worth asking again.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof DataRefusal && error.status > 0),
    },
  },
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
})

/** The login card, or the dashboard with its four tabs. */
export function AdminDashboardPage() {
  const session = useSession()
  useEffect(() => void checkSession(), [])
  return (
    <div className="admin">
      <AdminStrip />
      {session.state === 'signed-in' ? (
        <QueryClientProvider client={queries}>
          <Dashboard />
          {session.hasEnded && <SessionEndedDialog username={session.username} />}
        </QueryClientProvider>
      ) : (
        <LoginCard isChecking={session.state === 'checking'} />
      )}
    </div>
  )
}

function Dashboard() {
  const [selected, select] = useSelectedTab()
  const leave = async () => {
    await logOut()
    window.location.assign(paths.home)
  }
  return (
    <>
      <div className="bar" role="region" aria-label="Dashboard">
        <h1>Admin Dashboard</h1>
        <TabList label="Dashboard" tabs={tabs} selected={selected} onSelect={select} />
        <button className="ab quiet out" type="button" onClick={() => void leave()}>
          <Icon name="logout" />
          Logout
        </button>
      </div>
      <main className="work" id="main" tabIndex={-1}>
        <TabPanel id={selected}>
          <Suspense fallback={<Skeleton />}>
            <SelectedTab id={selected} />
          </Suspense>
        </TabPanel>
      </main>
    </>
  )
}

/** Features are islands; what leads from one to another is joined here. */
function SelectedTab({ id }: { id: TabId }) {
  const [converting, setConverting] = useState<Booking>()
  switch (id) {
    case 'appointments':
      return (
        <>
          <AppointmentsTab onAddToTasks={setConverting} />
          {converting && (
            <ConvertBookingDialog booking={converting} onClose={() => setConverting(undefined)} />
          )}
        </>
      )
    case 'tasks':
      return <TasksTab />
    case 'quotes':
      return <QuotesTab />
    case 'invoices':
      return <InvoicesTab />
  }
}

/** The tab in the address, else the one used last. Choosing one forgets what the other tab had in the address. */
function useSelectedTab(): [TabId, (id: TabId) => void] {
  const [params, change] = useSearchParams()
  const wanted = params.get('tab') ?? localStorage.getItem(REMEMBERED_TAB)
  const selected = tabs.find(({ id }) => id === wanted)?.id ?? 'appointments'
  const select = (id: TabId) => {
    localStorage.setItem(REMEMBERED_TAB, id)
    change({ ...Object.fromEntries([...params.keys()].map((name) => [name, null])), tab: id })
  }
  return [selected, select]
}
