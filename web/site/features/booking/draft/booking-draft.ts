import { emptyBookingForm, type BookingForm } from '#domain/bookings/booking-form.ts'
import type { GuardHeaders } from '#web/site/kit/form-guard.ts'
import type { Service } from '../service/load-services.ts'

/** What happened to a booking that did not come about, in the page's own words. */
export type Problem = { title: string; text: string }

/** The success view's summary. The e-mail is asked for after the booking stands. */
export type ConfirmedBooking = {
  serviceName: string
  date: string
  time: string
  email: 'requested' | 'sent' | 'failed'
  /** ISO 8601: until when its e-mail has to be answered, for a booking that looks automated. */
  confirmBy: string | null
  /** '/visit/…', its private page, once that is known. */
  visitPath: string | null
}

/** The wizard's state (docs/product.md 3.2). Dates 'yyyy-MM-dd', times 'HH:mm', shop time. */
export type BookingDraft = {
  service: Service | null
  date: string | null
  time: string | null
  form: BookingForm
  problem: Problem | null
  /** Which booking was sent without an answer coming back, so that it may stand already, and with what. */
  unanswered: { booking: string; guard: GuardHeaders } | null
  confirmed: ConfirmedBooking | null
}

export const emptyDraft: BookingDraft = {
  service: null,
  date: null,
  time: null,
  form: emptyBookingForm,
  problem: null,
  unanswered: null,
  confirmed: null,
}
