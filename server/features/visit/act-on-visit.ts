import { isCalendarDate } from '#domain/calendar-date.ts'
import { isClockTime } from '#domain/clock-time.ts'
import type { CurrentShop } from '#domain/shop.ts'
import { writeVisitChangeNotice } from '#letters/visit-change-notice.ts'
import { changeLetters, findChangedBooking } from '#server/features/emails/change-letters.ts'
import { queueEmail } from '#server/features/emails/queue-email.ts'
import { queueVisitorEmail } from '#server/features/emails/queue-visitor-email.ts'
import { rowsAs } from '#server/platform/database/columns.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import type { Query } from '#server/platform/database/query.ts'
import { retryTies } from '#server/platform/database/retry-ties.ts'
import { isCancellationReason } from './cancellation-reasons.ts'
import { moment } from './visit-words.ts'

export type Acting = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  /** Where letters to the owner go; the shop's address for bookings without one. */
  readonly ownerEmail: string | undefined
  /** Whether letters that visitors cause are capped. */
  readonly isCapped: boolean
}

/** What can be posted to a private page, by the last part of its address. */
export type Deed = 'move' | 'cancel' | 'take-back' | 'come' | 'why'

/** What a deed came to: done, done before, or why not (migration let_customers_change_visits). */
export type Outcome =
  | 'moved'
  | 'cancelled'
  | 'taken_back'
  | 'answered'
  | 'explained'
  | 'unchanged'
  | 'gone'
  | 'over'
  | 'not_confirmed'
  | 'changed_meanwhile'
  | 'too_close'
  | 'not_yours'
  | 'slot_taken'
  | 'booking_paused'
  | 'in_the_past'
  | 'too_far_ahead'
  | 'notice_required'
  | 'outside_hours'
  | 'off_the_grid'

/**
 * Does what a form of the page asks for, with its letters, in one transaction. May be repeated: who asks for what is so
 * already gets 'unchanged', and no second letter.
 */
export function actOnVisit(
  acting: Acting,
  bookingId: string,
  deed: Deed,
  form: URLSearchParams,
): Promise<Outcome> {
  return retryTies(() =>
    acting.database.transaction(asServer, async (query) => {
      const outcome = await deeds[deed](query, bookingId, form)
      const about = lettersAbout[outcome]
      if (about) await writeLetters(acting, query, bookingId, about)
      return outcome
    }),
  )
}

type Do = (query: Query, bookingId: string, form: URLSearchParams) => Promise<Outcome>

/** The version that the page showed; none of it is a version. */
const seen = (form: URLSearchParams) => {
  const text = form.get('seen') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

const deeds: Readonly<Record<Deed, Do>> = {
  async move(query, id, form) {
    const [date, time] = [form.get('date') ?? '', form.get('time') ?? '']
    if (!isCalendarDate(date) || !isClockTime(time)) return 'off_the_grid'
    return outcomeOf(
      await query('select internal.move_visit($1, $2, $3, $4) as outcome', [
        id,
        seen(form),
        date,
        time,
      ]),
    )
  },
  cancel: async (query, id, form) =>
    outcomeOf(await query('select internal.cancel_visit($1, $2) as outcome', [id, seen(form)])),
  'take-back': async (query, id, form) =>
    outcomeOf(await query('select internal.take_visit_back($1, $2) as outcome', [id, seen(form)])),
  come: async (query, id, form) =>
    outcomeOf(await query('select internal.answer_visit($1, $2) as outcome', [id, seen(form)])),
  async why(query, id, form) {
    const reason = form.get('reason')
    if (!isCancellationReason(reason)) return 'unchanged'
    return outcomeOf(await query('select internal.explain_visit($1, $2) as outcome', [id, reason]))
  },
}

function outcomeOf(rows: Parameters<typeof rowsAs<{ outcome: Outcome }>>[0]): Outcome {
  const [row] = rowsAs<{ outcome: Outcome }>(rows)
  if (!row) throw new Error('The database said nothing about a visit')
  return row.outcome
}

type About = 'moved' | 'cancelled' | 'restored'

const lettersAbout: Partial<Record<Outcome, About>> = {
  moved: 'moved',
  cancelled: 'cancelled',
  taken_back: 'restored',
}

async function writeLetters(acting: Acting, query: Query, bookingId: string, about: About) {
  const shop = acting.currentShop()
  const booking = await findChangedBooking(query, bookingId, acting.publicUrl)
  if (!booking) return
  if (booking.customerEmail !== '') {
    // Above a cap the change stands without a letter, and the page names none.
    await queueVisitorEmail(query, changeLetters[about](shop, booking), acting)
  }
  const [rules] = await query('select tell_shop_of_changes from public.booking_rules')
  if (!rules?.tell_shop_of_changes) return
  const { serviceName, calendarSequence: sequence, flaggedReasons } = booking
  const customerName = flaggedReasons.length > 0 ? '' : booking.customerName
  const when = moment(booking.date, booking.time)
  const change = { bookingId, sequence, about, customerName, serviceName, when }
  await queueEmail(query, writeVisitChangeNotice(change, acting))
}
