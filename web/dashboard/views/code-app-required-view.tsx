import { RequiredCodeApp } from '#web/dashboard/features/code-app/required-code-app.tsx'
import { logOutAndGo } from '#web/dashboard/features/session/log-out-and-go.ts'
import { Button } from '#web/ui/button/button.tsx'
import '#web/dashboard/features/session/session.css'

/** Replaces the dashboard until a person who was invited has set up a code app. */
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
