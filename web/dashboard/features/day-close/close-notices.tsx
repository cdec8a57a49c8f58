import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { changeTitle, refusalText } from './close-texts.ts'
import type { CloseForm } from './use-close-form.ts'

/**
 * Shows the notices of the page that closes a day: the expected cash changed during the count, another team member
 * closed the day, or the server refused the close.
 */
export function CloseNotices({ form, onShowClose }: { form: CloseForm; onShowClose: () => void }) {
  const { day, closing } = form
  const nameOf = useNameOf()
  if (day.close && !closing.isSuccess) {
    const { closedByName, closedAt } = day.close
    return (
      <div role="alert">
        <Notice
          title={`${nameOf(closedByName, closedAt)} closed this day at ${formatShopTime(new Date(closedAt))}`}
        >
          Your count was not saved. It stays below until you leave this page.
          <div className="day-close-notice-action">
            <Button compact onClick={onShowClose}>
              Show the closed day
            </Button>
          </div>
        </Notice>
      </div>
    )
  }
  return (
    <>
      <ChangeNotice form={form} />
      {closing.isError && (
        <Notice tone="bad" title="The day was not closed.">
          {refusalText(closing.error)}
        </Notice>
      )}
    </>
  )
}

/**
 * The notice that a cash payment, refund or cash movement has changed the expected cash since the count began. The
 * counted cash never changes.
 */
function ChangeNotice({ form }: { form: CloseForm }) {
  const { day, figures, seenChangeCents, isRevealed } = form
  const nameOf = useNameOf()
  if (seenChangeCents === undefined || seenChangeCents === day.cash.changeCents) return null
  const change = day.cash.changeCents - seenChangeCents
  return (
    <div role="alert">
      <Notice tone="warn" title={changeTitle(day, seenChangeCents, nameOf)}>
        {isRevealed && `Expected cash is now ${formatCents(figures.expectedCents)}. `}
        Your count is kept. {change > 0 ? 'Add' : 'Subtract'} the {formatCents(Math.abs(change))} or
        count again.
        <div className="day-close-notice-action">
          <Button compact onClick={form.keepCount}>
            Keep my count
          </Button>
        </div>
      </Notice>
    </div>
  )
}
