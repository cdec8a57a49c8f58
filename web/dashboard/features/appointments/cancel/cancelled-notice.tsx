import { tel } from '#web/lib/browser/tel.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { SelectableBooking } from '../bookings-api.ts'
import type { Cancellation } from './use-cancellation.ts'

/**
 * Shows the result of cancelling several bookings: the bookings that were not cancelled, the emails that failed, and a
 * button that undoes the cancellation. The notice remains until the user undoes the cancellation or dismisses the
 * notice.
 */
export function CancelledNotice({ cancellation }: { cancellation: Cancellation }) {
  const { cancelled, missed, notNotified, undo, forget, isBusy } = cancellation
  return (
    <div role="status" className="cancelled-notice">
      {cancelled.length + missed.length > 0 && (
        <Notice
          title={
            cancelled.length === 1
              ? '1 appointment cancelled.'
              : `${cancelled.length} appointments cancelled.`
          }
        >
          {missed.length > 0 && (
            <p>
              Not cancelled. Someone else already completed, cancelled or deleted:{' '}
              <b>{missed.map(({ customer_name }) => customer_name).join(', ')}</b>.
            </p>
          )}
          {notNotified.length > 0 && <NotNotifiedList bookings={notNotified} />}
          {cancelled.length > 0 && (
            <Button compact disabled={isBusy} onClick={undo}>
              Undo
            </Button>
          )}{' '}
          <Button compact level="quiet" disabled={isBusy} onClick={forget}>
            Dismiss
          </Button>
        </Notice>
      )}
    </div>
  )
}

function NotNotifiedList({ bookings }: { bookings: readonly SelectableBooking[] }) {
  return (
    <p>
      Could not send the email. Please call{' '}
      {bookings.map(({ id, customer_name, customer_phone }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          {customer_name} <a href={tel(customer_phone)}>{customer_phone}</a>
        </span>
      ))}
      .
    </p>
  )
}
