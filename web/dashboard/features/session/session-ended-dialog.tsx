import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { LoginForm } from './login-form.tsx'

/** The login dialog above the page after the session has ended. Input in the page behind it is preserved. */
export function SessionEndedDialog({ username }: { username: string }) {
  return (
    <Dialog open size="small" title="Please log in again">
      <p>Your session has ended. Log in to continue; your work is still here.</p>
      <LoginForm username={username} />
    </Dialog>
  )
}
