import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OutboxEmail } from '#contracts/emails/emails.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { toast, type ToastMessage } from '#web/ui/toast/toast.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { resendEmail } from './emails.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'

export type ResendEmail = {
  readonly resend: (emailId: string) => void
  /** The id of the email that is currently being sent again. */
  readonly busyId: string | undefined
}

/**
 * Sends an email again, shows the result in a toast and refetches all queries, because many views show the state of the
 * email.
 */
export function useResendEmail(): ResendEmail {
  const queries = useQueryClient()
  const resending = useMutation({
    mutationFn: (emailId: string) => resendEmail(emailId),
    onSuccess: (email) => toast(outcomeOf(email)),
    onError: (error) => toast(failed(error instanceof ApiError ? error.message : '')),
    onSettled: () => refetchQueries(queries),
  })
  return {
    resend: (emailId) => resending.mutate(emailId),
    busyId: resending.isPending ? resending.variables : undefined,
  }
}

function outcomeOf(email: OutboxEmail): ToastMessage {
  switch (email.status) {
    case 'sent':
      return { title: 'Email Sent' }
    case 'in_outbox':
      return { title: 'Kept in the outbox', description: 'No mail server is set yet.' }
    case 'failed':
      return failed(email.lastError ?? '')
    case 'queued':
      return { title: 'Email queued', description: 'The email will be sent within a minute.' }
    case 'retrying':
      return {
        title: 'Not sent yet',
        description: email.nextAttemptAt
          ? `The mail server did not accept the email. Next try: ${formatStamp(email.nextAttemptAt)}.`
          : 'The mail server did not accept the email.',
        variant: 'destructive',
      }
  }
}

function failed(reason: string): ToastMessage {
  return {
    title: 'Send Failed',
    description: reason || 'Failed to send email. Please try again.',
    variant: 'destructive',
  }
}
