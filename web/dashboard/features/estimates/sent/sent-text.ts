import { messageInOutbox } from '#web/dashboard/kit/records/use-onboarding.ts'
import type { ToastMessage } from '#web/ui/toast/toast.ts'

/**
 * Returns the toast after an estimate was sent: it names the email address that got the link, or states that the email
 * is in the outbox.
 */
export function sentMessage(email: string, canSendEmail: boolean): ToastMessage {
  return canSendEmail
    ? { title: 'Sent', description: `To ${email}, with the link to the estimate.` }
    : { title: 'Customer not notified', description: messageInOutbox }
}
