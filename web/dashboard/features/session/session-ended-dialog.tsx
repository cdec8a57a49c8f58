import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { LoginForm } from './login-form.tsx'

/**
 * The login dialog that opens above the page when the sign-in session has ended. The page behind the dialog preserves
 * its input.
 */
export function SessionEndedDialog({ username }: { username: string }) {
  return (
    <Dialog open size="small" title="Please log in again">
      <p>Your session has ended. Log in to continue; your work is still here.</p>
      <LoginForm username={username} />
    </Dialog>
  )
}
