import type { Estimate } from '#contracts/estimates.ts'
import { BusyWords } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useSendAgain } from './use-send-again.ts'

/** Says that an estimate that waits for its answer was sent to a former address, and sends it again. */
export function SentElsewhere({ estimate }: { estimate: Estimate }) {
  const { sentTo, answeredAt, invoice, isFrozen } = estimate
  const { email } = estimate.document.customer
  const sending = useSendAgain(estimate)
  const isElsewhere = sentTo && sentTo.toLowerCase() !== email.toLowerCase()
  if (!isElsewhere || answeredAt || invoice || !isFrozen) return null
  return (
    <Notice title={`Sent to ${sentTo}.`}>
      {email ? (
        <button
          type="button"
          className="action action-primary"
          disabled={sending.isPending}
          onClick={() => sending.mutate()}
        >
          <BusyWords busy={sending.isPending && 'Sending…'}>Send again to {email}</BusyWords>
        </button>
      ) : (
        <p>That link ended. The estimate has no email address now.</p>
      )}
    </Notice>
  )
}
