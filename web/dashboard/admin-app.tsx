import { Suspense } from 'react'
import { AdminDashboardPage } from './admin-dashboard.tsx'
import { dashboardIconPaths } from '#web/ui/icon/dashboard-icon-paths.ts'
import { addIcons } from '#web/ui/icon/icon.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary/error-boundary.tsx'

addIcons(dashboardIconPaths)

/**
 * The HTML document of the dashboard. The dashboard has its own entry script, styles and font, which the public pages
 * do not load. Links between the dashboard and the public site are plain `<a href>`, because the two are built
 * separately.
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
