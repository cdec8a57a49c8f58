import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { depositCommands } from '#contracts/payments/deposits.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * Emails the customer a link to pay the deposit. If the estimate has no email address, the card states that no reminder
 * can be sent.
 */
export function RemindOfDeposit({ estimate }: { estimate: Estimate }) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const isOffline = useOfflineSince() !== undefined
  const { email } = estimate.document.customer
  const reminding = useMutation({
    mutationFn: () => runCommand(depositCommands.remind, { estimateId: estimate.id }),
    onSuccess: () =>
      toast({
        title: 'Reminder sent',
        description: canSendEmail ? `To ${email}.` : messageInOutbox,
      }),
    onError: (error) =>
      toast({
        title: 'The reminder was not sent.',
        description: problemOf(error),
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'estimates'),
  })
  if (email === '') return <p className="hint">No email address. No reminder can be sent.</p>
  return (
    <Button
      compact
      disabled={isOffline}
      busy={reminding.isPending && 'Sending…'}
      onClick={() => reminding.mutate()}
    >
      Remind by email
    </Button>
  )
}

function problemOf(error: Error): string {
  const code = error instanceof DataError ? error.code : ''
  if (code === 'NOT_PAYABLE') return 'The deposit is no longer due.'
  if (code === 'NO_EMAIL_ADDRESS') return 'The customer no longer has an email address.'
  return 'Press the button again: the email is never sent twice.'
}
