import type { ReactNode } from 'react'
import { useStaffAccount } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { useCodeApp } from './use-code-app.ts'
import './code-app.css'

/**
 * Asks a team member who accepted an invitation with a password to set up an authenticator app before using the
 * dashboard.
 */
export function RequiredCodeApp({ logout }: { logout: ReactNode }) {
  const { username } = useStaffAccount()
  const app = useCodeApp()
  return (
    <section className="card required-code-app" aria-labelledby="required-code-app">
      <h1 id="required-code-app">Set up your authenticator app</h1>
      {app.setUp && <SetUpForm {...app.setUp} onConfirm={app.confirm} onCancel={app.cancel} />}
      {app.recoveryCodes && (
        // Reload the page, because the server gives the sign-in session its full rights only after the setup of the
        // authenticator app.
        <RecoveryCodes codes={app.recoveryCodes} onDone={() => window.location.reload()} />
      )}
      {!app.setUp && !app.recoveryCodes && (
        <>
          <p>
            Signing in with a password needs a second step: a code of an authenticator app on your
            phone. The dashboard opens once the app is set up.
          </p>
          <Button level="primary" wide onClick={() => void app.start()}>
            Set up authenticator app
          </Button>
          <p className="required-code-app-account">
            You are signed in as {username}. {logout}
          </p>
        </>
      )}
      {app.dialog}
    </section>
  )
}
