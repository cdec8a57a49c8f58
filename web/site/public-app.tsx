import { Suspense, useEffect, useEffectEvent } from 'react'
import { useLocation } from './router.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary/error-boundary.tsx'
import { Footer } from '#web/site/layout/footer.tsx'
import { NavBar } from '#web/site/layout/nav-bar.tsx'
import { pageAt } from './pages.ts'
import { usePageChange } from './use-page-change.ts'

/**
 * The public document: navigation bar, page, footer and notifications. Rendered inside a router, both while
 * prerendering and in the browser. `onAwake` is called when the first page responds to input.
 */
export function PublicApp({ onAwake }: { onAwake?: () => void }) {
  const { pathname } = useLocation()
  const { Component, path } = pageAt(pathname)
  usePageChange()
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <NavBar />
      <ErrorBoundary page={path}>
        <Suspense fallback={<main id="main" className="page-waiting" aria-busy="true" />}>
          <Component />
          <Awake onAwake={onAwake} />
        </Suspense>
      </ErrorBoundary>
      <Footer />
      <ToastRegion />
    </>
  )
}

/** React renders this component beside the page, so that its effect runs after the page is hydrated. */
function Awake({ onAwake }: { onAwake: (() => void) | undefined }) {
  const notifyAwake = useEffectEvent(() => onAwake?.())
  useEffect(() => notifyAwake(), [])
  return null
}
