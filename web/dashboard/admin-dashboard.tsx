import { tabletPath } from '#contracts/dashboard-paths.ts'
import { StaffAccountProvider } from '#web/dashboard/kit/staff/staff-role.tsx'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoginCard } from '#web/dashboard/features/session/login-card.tsx'
import { LazySessionEndedDialog } from '#web/dashboard/features/session/lazy-session-parts.ts'
import {
  checkSession,
  onSignedIn,
  renewSession,
} from '#web/dashboard/features/session/session-store.ts'
import { useCurrentRole } from '#web/dashboard/features/session/use-current-role.ts'
import { useSession } from '#web/dashboard/features/session/use-session.ts'
import { todayKey } from '#web/dashboard/features/today/today-key.ts'
import { setOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useHydrated } from '#web/lib/browser/use-hydrated.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { onSessionRefused } from '#web/lib/data/session-renewal.ts'
import { AdminNav } from './admin-nav.tsx'
import { views } from './lazy-views.tsx'
import { createDashboardRouter, type DashboardRouter } from './routes.tsx'
import './admin-dashboard.css'

onSessionRefused(renewSession)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Repeats a query only if no response arrived (status 0). A refusal by the server, with an HTTP status, is final.
      retry: (failures, error) => failures < 2 && !(error instanceof DataError && error.status > 0),
    },
    // Without a connection a mutation fails. By default React Query would queue the mutation and run it later, when the
    // user no longer expects it.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache(),
  mutationCache: new MutationCache({
    // Any saved change may resolve an item of the Today page, so each change refetches the data of that page.
    onSuccess: () => void refetchQueries(queries, todayKey),
  }),
})

onSignedIn(({ onboarding }) => setOnboarding(queries, onboarding))

let router: DashboardRouter | undefined

/**
 * Creates the router once, in the browser, because the server renders the document of the dashboard without a router.
 */
const getRouter = () => (router ??= createDashboardRouter())

/** Shows the login card to a signed-out visitor, and the dashboard to a signed-in visitor. */
export function AdminDashboardPage() {
  const session = useSession()
  useCurrentRole(session.state === 'signed-in' && !session.needsCodeApp)
  useEffect(() => {
    void checkSession()
    // Loads the code of the first view while the server checks the sign-in session.
    void getRouter().load()
  }, [])
  if (useHydrated() && window.location.pathname === tabletPath) {
    return (
      <QueryClientProvider client={queries}>
        <views.tablet />
      </QueryClientProvider>
    )
  }
  return (
    <div className="dashboard">
      <AdminNav />
      {session.state === 'signed-in' ? (
        <QueryClientProvider client={queries}>
          <StaffAccountProvider username={session.username} name={session.name} role={session.role}>
            {session.needsCodeApp ? (
              <views.codeAppRequired />
            ) : session.role === 'technician' ? (
              <views.technician />
            ) : (
              <RouterProvider router={getRouter()} />
            )}
          </StaffAccountProvider>
          {session.hasEnded && <LazySessionEndedDialog username={session.username} />}
        </QueryClientProvider>
      ) : (
        <LoginCard isChecking={session.state === 'checking'} />
      )}
    </div>
  )
}
