import { emptyBookingForm, type BookingForm } from '#domain/bookings/booking-form.ts'
import type { GuardHeaders } from '#web/site/kit/form-guard.ts'
import type { Service } from '../service/load-services.ts'

/** The texts with which the page explains why the booking failed. */
export type Problem = { title: string; text: string }

/**
 * The data of the stored booking, which the success view summarizes. The page requests the confirmation email after the
 * server has stored the booking.
 */
export type ConfirmedBooking = {
  serviceName: string
  date: string
  time: string
  email: 'requested' | 'sent' | 'failed'
  /** The deadline, in ISO 8601, for confirming a suspicious booking by email; null for other bookings. */
  confirmBy: string | null
  /** The path of the visit page, '/visit/…'; null until it is known. */
  visitPath: string | null
}

/** The wizard's state (docs/product.md 3.2). Dates are 'yyyy-MM-dd' and times 'HH:mm' in the shop's time zone. */
export type BookingDraft = {
  service: Service | null
  date: string | null
  time: string | null
  form: BookingForm
  problem: Problem | null
  /**
   * A booking that the browser sent but for which no response arrived, so that the server may have stored it. `guard`
   * contains the spam-defense headers of that request (form-guard.ts).
   */
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
