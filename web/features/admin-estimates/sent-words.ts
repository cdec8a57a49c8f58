import { keptInOutbox } from '#web/lib/use-first-steps.ts'
import type { ToastMessage } from '#web/ui/toast.ts'

/** Says where the email with the link to an estimate went. */
export function sentMessage(email: string, doesMailLeave: boolean): ToastMessage {
  return doesMailLeave
    ? { title: 'Sent', description: `To ${email}, with the link to the estimate.` }
    : { title: 'Customer not notified', description: keptInOutbox }
}
