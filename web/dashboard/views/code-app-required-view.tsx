import { RequiredCodeApp } from '#web/dashboard/features/code-app/required-code-app.tsx'
import { logOutAndGo } from '#web/dashboard/features/session/log-out-and-go.ts'
import { Button } from '#web/ui/button/button.tsx'
import '#web/dashboard/features/session/session.css'

/** Replaces the dashboard until an invited team member has set up an authenticator app. */
export function CodeAppRequiredView() {
  return (
    <main className="login" id="main" tabIndex={-1}>
      <RequiredCodeApp
        logout={
          <Button compact level="quiet" onClick={() => void logOutAndGo()}>
            Logout
          </Button>
        }
      />
    </main>
  )
}
