import type { CancelPage } from '#contracts/api/customer-pages.ts'
import type { VisitPageData } from '#contracts/bookings/visit-page.ts'
import { formatShortDateTime } from '#domain/calendar/date-time-text.ts'
import type { PageContent } from '../page-content.ts'
import { ActionButton, PageHeading } from '../page-parts.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'

type Cancelled = Pick<CancelPage, 'booking' | 'path' | 'work'>

/**
 * The dialog that confirms a cancellation. A script opens this dialog; without JavaScript, the page /cancel
 * replaces the dialog.
 */
export function CancelDialog({ page }: { page: Cancelled }) {
  if (!page.booking.mayCancel) return null
  return (
    <dialog className="visit-dialog" id="cancel-visit" aria-labelledby="cancel-title">
      <h2 id="cancel-title">{cancelQuestion(page.booking)}</h2>
      <p>{whatCancelDoes(page)}</p>
      <div className="visit-buttons">
        <form method="dialog">
          <button className={buttonClass('secondary')} autoFocus>
            Keep my appointment
          </button>
        </form>
        <CancelButton page={page} />
      </div>
    </dialog>
  )
}

/** The page /cancel, on which a customer without JavaScript confirms the cancellation. */
export function cancelPage(page: CancelPage): PageContent {
  const title = cancelQuestion(page.booking)
  const main = (
    <main id="main" tabIndex={-1} className="visit">
      <section className="visit-sky">
        <div className="page-width visit-top">
          <div className="visit-text">
            <PageHeading>{title}</PageHeading>
            <p className="visit-lead">{whatCancelDoes(page)}</p>
            <div className="visit-actions">
              <div className="visit-buttons">
                <a className={buttonClass('secondary')} href={page.path}>
                  Keep my appointment
                </a>
                <CancelButton page={page} />
              </div>
            </div>
          </div>
        </div>
      </section>
    </main>
  )
  return { title, main }
}

const cancelQuestion = ({ date, time }: VisitPageData) =>
  `Cancel ${formatShortDateTime(date, time)}?`

/**
 * If the booking has an invoice, the text does not promise 'There is no charge', because a cancellation does not void
 * the invoice.
 */
const whatCancelDoes = ({ work }: Cancelled) =>
  work.hasInvoice
    ? 'Your time becomes available to others. You can restore the appointment while the time is still available.'
    : 'Your time becomes available to others. There is no charge, and you can restore the appointment while the time is still available.'

function CancelButton({ page: { booking, path } }: { page: Cancelled }) {
  return (
    <ActionButton
      action={`${path}/cancel`}
      fields={{ seen: booking.sequence }}
      busy="Cancelling…"
      variant="danger"
    >
      Cancel appointment
    </ActionButton>
  )
}
