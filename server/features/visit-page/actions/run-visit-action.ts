import type { VisitRefusal } from '#contracts/bookings/visit-page.ts'
import { isCancellationReason } from '#domain/bookings/cancellation-reasons.ts'
import { isCalendarDate } from '#domain/calendar/calendar-date.ts'
import { isClockTime } from '#domain/calendar/clock-time.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { formatDateTime } from '#domain/calendar/date-time-text.ts'
import { writeBookingChangeNotice } from '#emails/bookings/booking-change-notice.ts'
import { changeEmails, findChangedBooking } from '#server/features/emails/change-emails.ts'
import { queueOwnerNotice } from '#server/features/emails/owner-notices/queue-owner-notice.ts'
import { queueVisitorEmail } from '#server/features/emails/outbox/queue-visitor-email.ts'
import { type Database, type Query, retryTransaction, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

export type VisitActionContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  /** The recipient of notices to the owner; when undefined, the shop's email address for bookings. */
  readonly ownerEmail: string | undefined
  /** Whether the limits on visitor-triggered emails apply. */
  readonly isCapped: boolean
}

/** The actions of a visit page. The last part of the URL path names the action. */
export type VisitAction = 'move' | 'cancel' | 'restore' | 'attend' | 'reason'

/** The change that an action made; 'unchanged' for a repeated action, which has no effect. */
type Change =
  | 'moved'
  | 'cancelled'
  | 'restored'
  | 'attendance_confirmed'
  | 'reason_saved'
  | 'unchanged'

type Done = { readonly kind: 'done'; readonly change: Change }
type Refused = { readonly kind: 'refused'; readonly refusal: VisitRefusal }

/**
 * Performs the action of a submitted form and queues the emails about it, in one transaction. A repeated action
 * succeeds, but changes nothing and queues no email.
 */
export function runVisitAction(
  acting: VisitActionContext,
  bookingId: string,
  action: VisitAction,
  form: URLSearchParams,
): Promise<Done | Refused> {
  return retryTransaction(() =>
    acting.database.transaction(asServer, async (query) => {
      const outcome = await actions[action](query, bookingId, form)
      if (outcome.kind === 'done') await queueEmails(acting, query, bookingId, outcome)
      return outcome
    }),
  )
}

type Do = (query: Query, bookingId: string, form: URLSearchParams) => Promise<Done | Refused>

/**
 * Reads from the form the version of the booking that the page displayed to the customer. Returns -1, which matches no
 * version, if the field contains no number.
 */
const seen = (form: URLSearchParams) => {
  const text = form.get('seen') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

const actions: Readonly<Record<VisitAction, Do>> = {
  async move(query, id, form) {
    const [date, time] = [form.get('date') ?? '', form.get('time') ?? '']
    if (!isCalendarDate(date) || !isClockTime(time)) return refused('off_the_grid')
    return outcomeOf(
      await query('select done, refused from internal.move_booking_by_customer($1, $2, $3, $4)', [
        id,
        seen(form),
        date,
        time,
      ]),
    )
  },
  cancel: async (query, id, form) =>
    outcomeOf(
      await query('select done, refused from internal.cancel_booking_by_customer($1, $2)', [
        id,
        seen(form),
      ]),
    ),
  restore: async (query, id, form) =>
    outcomeOf(
      await query('select done, refused from internal.undo_cancellation_by_customer($1, $2)', [
        id,
        seen(form),
      ]),
    ),
  attend: async (query, id, form) =>
    outcomeOf(
      await query('select done, refused from internal.confirm_attendance($1, $2)', [
        id,
        seen(form),
      ]),
    ),
  async reason(query, id, form) {
    const reason = form.get('reason')
    if (!isCancellationReason(reason)) return done('unchanged')
    return outcomeOf(
      await query('select done, refused from internal.save_cancellation_reason($1, $2)', [
        id,
        reason,
      ]),
    )
  },
}

const done = (change: Change): Done => ({ kind: 'done', change })
const refused = (refusal: VisitRefusal): Refused => ({ kind: 'refused', refusal })

type OutcomeRow = { done: Change | null; refused: VisitRefusal | null }

function outcomeOf(rows: Parameters<typeof rowsAs<OutcomeRow>>[0]): Done | Refused {
  const [row] = rowsAs<OutcomeRow>(rows)
  if (row?.done) return done(row.done)
  if (row?.refused) return refused(row.refused)
  throw new Error('The database returned no outcome of an action on an appointment page')
}

type About = 'moved' | 'cancelled' | 'restored'

const emailAbout: Readonly<Record<Change, About | undefined>> = {
  moved: 'moved',
  cancelled: 'cancelled',
  restored: 'restored',
  attendance_confirmed: undefined,
  reason_saved: undefined,
  unchanged: undefined,
}

async function queueEmails(
  acting: VisitActionContext,
  query: Query,
  bookingId: string,
  { change }: Done,
) {
  const about = emailAbout[change]
  if (!about) return
  const shop = acting.currentShop()
  const booking = await findChangedBooking(query, bookingId, acting.publicUrl)
  if (!booking) return
  if (booking.customerEmail !== '') {
    // If a limit on visitor-triggered emails is reached, the change is made without an email, and the page mentions
    // no email.
    await queueVisitorEmail(query, changeEmails[about](shop, booking), acting)
  }
  const [rules] = await query('select notify_shop_of_changes from public.booking_rules')
  if (!rules?.notify_shop_of_changes) return
  const { serviceName, calendarSequence: sequence, flaggedReasons } = booking
  const customerName = flaggedReasons.length > 0 ? '' : booking.customerName
  const when = formatDateTime(booking.date, booking.time)
  const notice = { bookingId, sequence, about, customerName, serviceName, when }
  await queueOwnerNotice(query, writeBookingChangeNotice(notice, acting))
}
