import type { Estimate } from '#contracts/estimates/estimates.ts'
import { BusyLabel } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useSendAgain } from './use-send-again.ts'

/**
 * Shown when the estimate was sent to an earlier email address, whose link no longer works. An undecided estimate can
 * be sent again to the current address.
 */
export function SentElsewhere({ estimate }: { estimate: Estimate }) {
  const { sentTo, decidedAt, invoice, isFrozen } = estimate
  const { email } = estimate.document.customer
  const sending = useSendAgain(estimate)
  const isElsewhere = sentTo && sentTo.toLowerCase() !== email.toLowerCase()
  if (!isElsewhere || invoice || !isFrozen) return null
  return (
    <Notice title={`Sent to ${sentTo}.`}>
      {email && !decidedAt ? (
        <button
          type="button"
          className="action action-primary"
          disabled={sending.isPending}
          onClick={() => sending.mutate()}
        >
          <BusyLabel busy={sending.isPending && 'Sending…'}>Send again to {email}</BusyLabel>
        </button>
      ) : (
        <p>That link no longer works. Select “Create new link” to get one that does.</p>
      )}
    </Notice>
  )
}
