import { Suspense } from 'react'
import { AdminDashboardPage } from './admin-dashboard.tsx'
import { dashboardIconPaths } from '#web/ui/icon/dashboard-icon-paths.ts'
import { addIcons } from '#web/ui/icon/icon.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary/error-boundary.tsx'

addIcons(dashboardIconPaths)

/**
 * The dashboard's document: its own entry, styles and font, none of which the public pages load. Its
 * links to the public site are plain `<a href>`, and so is the way here.
 */
export function AdminApp() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <ErrorBoundary page="admin">
        <Suspense fallback={null}>
          <AdminDashboardPage />
        </Suspense>
      </ErrorBoundary>
      <ToastRegion />
    </>
  )
}
