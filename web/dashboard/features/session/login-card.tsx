import { useEffect } from 'react'
import { DegreeWheel } from '#web/ui/art/drawings.tsx'
import './session.css'
import { LazyLoginForm, LazySessionEndedDialog } from './lazy-session-parts.ts'

/** The login page of the dashboard. */
export function LoginCard({ isChecking }: { isChecking: boolean }) {
  useEffect(() => {
    LazyLoginForm.preload()
    LazySessionEndedDialog.preload()
  }, [])
  return (
    <main className="login" id="main" tabIndex={-1} aria-busy={isChecking}>
      <DegreeWheel />
      {!isChecking && (
        <section className="card" aria-labelledby="login-title">
          <h1 id="login-title">Admin Dashboard</h1>
          <LazyLoginForm />
        </section>
      )}
      <noscript>
        <p className="card">
          The dashboard needs JavaScript. Please turn it on and reload the page.
        </p>
      </noscript>
    </main>
  )
}
