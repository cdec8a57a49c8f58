import type { ReactNode } from 'react'
import type { VisitPage } from '#contracts/api/customer-pages.ts'
import type { VisitPageData } from '#contracts/bookings/visit-page.ts'
import { cancellationReasons } from '#domain/bookings/cancellation-reasons.ts'
import { type VisitButton, vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { formatShortDateTime } from '#domain/calendar/date-time-text.ts'
import { ActionButton, PhoneLink, postTo, resultAttributes } from '../page-parts.tsx'
import { attendanceThanks, isExplained, thanksForReason } from './notices.ts'
import { cancellationOf } from './visit-page-text.ts'
import { buttonClass } from '#web/ui/button/button.tsx'

/** The actions that the customer can take now. */
export function Actions({ page }: { page: VisitPage }) {
  return actionsOf[buttonOf(page.booking)](page)
}

/**
 * Chooses the main button of the visit page. The button offers a new booking in two cases (docs/product.md 12.14): the
 * appointment's time has passed and the vehicle has not arrived, or an unconfirmed booking can no longer be confirmed
 * because its time has passed or is taken.
 */
function buttonOf({ state, hasStarted, isTimeFree }: VisitPageData): VisitButton {
  const isTooLate =
    (state === 'expected' && hasStarted) ||
    (state === 'not_confirmed' && (hasStarted || !isTimeFree))
  return isTooLate ? 'book_another' : vehicleTable[state].visitButton
}

const actionsOf: Readonly<Record<VisitButton, (page: VisitPage) => ReactNode>> = {
  confirm: heldActions,
  attend: expectedActions,
  restore: cancelledActions,
  book_another: () => (
    <div className="visit-actions">
      <div className="visit-buttons">{bookAnother}</div>
    </div>
  ),
  // The main actions 'pay' and 'receipt' have no button in this section, because repair-section.tsx shows the balance
  // or the paid amount of the invoice.
  pay: () => null,
  receipt: () => null,
  none: () => null,
}

const bookAnother = (
  <a className={buttonClass('primary')} href="/book-appointment">
    Book another time
  </a>
)

function expectedActions({ booking, path, done }: VisitPage) {
  const { mayChange, mayCancel, hasConfirmedAttendance, sequence } = booking
  return (
    <div className="visit-actions">
      {hasConfirmedAttendance ? (
        <Thanks isResult={done === 'attendance_confirmed'}>{attendanceThanks(booking)}</Thanks>
      ) : (
        <p className="visit-question">Can you make it?</p>
      )}
      <div className="visit-buttons">
        {!hasConfirmedAttendance && (
          <ActionButton
            action={`${path}/attend`}
            fields={{ seen: sequence }}
            busy="Sending…"
            variant="primary"
          >
            I’ll be there
          </ActionButton>
        )}
        {mayChange && (
          <a className={buttonClass('secondary')} href={`${path}/change`}>
            Change time
          </a>
        )}
      </div>
      {mayCancel && (
        <a className={buttonClass('quiet')} href={`${path}/cancel`} data-dialog="cancel-visit">
          Cancel this appointment
        </a>
      )}
      {!mayChange && !mayCancel && (
        <p className="visit-close">
          It's too late to change this appointment online. Please call <PhoneLink />.
        </p>
      )}
    </div>
  )
}

function heldActions({ path }: VisitPage) {
  return (
    <div className="visit-actions">
      <div className="visit-buttons">
        <ActionButton action={`${path}/confirm`} busy="Confirming…" variant="primary">
          Confirm Appointment
        </ActionButton>
      </div>
      <p className="visit-hint">
        Didn't request this? Ignore this page, and the time will be released. Questions? Call{' '}
        <PhoneLink />.
      </p>
    </div>
  )
}

/**
 * A message that thanks the customer, such as after a confirmation. The message stays on the page. When the page opens
 * directly after the customer's action, screen readers announce the message.
 */
function Thanks({ isResult, children }: { isResult: boolean; children: string }) {
  return (
    <p className="visit-message" {...(isResult && resultAttributes)}>
      {children}
    </p>
  )
}

function cancelledActions({ booking, path, done }: VisitPage) {
  const { date, time, sequence, canRestore } = booking
  return (
    <>
      <div className="visit-actions">
        <div className="visit-buttons">
          {bookAnother}
          {canRestore && (
            <ActionButton
              action={`${path}/restore`}
              fields={{ seen: sequence }}
              busy="Restoring…"
              variant="secondary"
            >
              {`Restore ${formatShortDateTime(date, time).replace(',', '')}`}
            </ActionButton>
          )}
        </div>
        {canRestore && (
          <p className="visit-hint">
            You can restore the appointment as long as the time is still available.
          </p>
        )}
      </div>
      {cancellationOf(booking)?.source === 'customer' &&
        (isExplained(booking) ? (
          <Thanks isResult={done === 'reason_saved'}>{thanksForReason}</Thanks>
        ) : (
          <ReasonForm path={path} />
        ))}
    </>
  )
}

/**
 * Asks a customer who has cancelled the appointment for the reason. The page shows this form until the customer has
 * answered.
 */
function ReasonForm({ path }: { path: string }) {
  return (
    <form className="card panel visit-why" method="post" action={postTo(`${path}/reason`)}>
      <h2 id="why">Why did you cancel? (optional)</h2>
      <div className="visit-chips" role="group" aria-labelledby="why">
        {cancellationReasons.map((reason) => (
          <button key={reason} className="visit-chip" type="submit" name="reason" value={reason}>
            {reason}
          </button>
        ))}
      </div>
      <p className="hint">Only the shop sees your reason.</p>
    </form>
  )
}
