import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { LoginForm } from './login-form.tsx'

/** The login over the work when the session has ended: nothing that was typed behind it is lost. */
export function SessionEndedDialog({ username }: { username: string }) {
  return (
    <Dialog open size="small" title="Please log in again">
      <p>Your session has ended. Log in to continue; your work is still here.</p>
      <LoginForm username={username} />
    </Dialog>
  )
}
