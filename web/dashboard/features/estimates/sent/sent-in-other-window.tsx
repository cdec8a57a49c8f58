import type { Estimate } from '#contracts/estimates/estimates.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useSendAgain } from './use-send-again.ts'

/**
 * The notice that the customer's email address changed after the shop emailed the estimate. The emailed link no longer
 * works. If the customer has not decided yet, staff can send the estimate again to the current address.
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
        <Button
          compact
          level="primary"
          busy={sending.isPending && 'Sending…'}
          onClick={() => sending.mutate()}
        >
          Send again to {email}
        </Button>
      ) : (
        <p>The emailed link no longer works. Select “Create new link” to get a link that works.</p>
      )}
    </Notice>
  )
}
