import type { Estimate } from '#contracts/estimates/estimates.ts'
import { BusyLabel } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useSendAgain } from './use-send-again.ts'

/** Says that an estimate was sent to a former address, whose link ended, and sends what still waits for its answer again. */
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
