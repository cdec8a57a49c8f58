import { emptyBookingForm } from '#domain/bookings/booking-form.ts'
import { isCalendarDate } from '#domain/calendar/calendar-date.ts'
import { isClockTime } from '#domain/calendar/clock-time.ts'
import {
  createDraftStorage,
  isRecord,
  readStoredText as text,
  readStoredTexts,
} from '#web/lib/forms/draft-storage.ts'
import type { BookingDraft } from './booking-draft.ts'
import type { Service } from '../service/load-services.ts'

/** Stores the draft of a booking. Reading validates each field separately and drops the invalid ones. */
export const {
  remember: rememberDraft,
  recall: recallDraft,
  forget: forgetDraft,
} = createDraftStorage('booking-draft', readDraft)

function readDraft(stored: unknown): BookingDraft | undefined {
  if (!isRecord(stored)) return undefined
  const [date, time] = [text(stored['date']), text(stored['time'])]
  return {
    service: readService(stored['service']),
    date: isCalendarDate(date) ? date : null,
    time: isClockTime(time) ? time : null,
    form: readStoredTexts(stored['form'], emptyBookingForm),
    problem: null,
    unanswered: readUnanswered(stored['unanswered']),
    confirmed: readConfirmed(stored['confirmed']),
  }
}

function readUnanswered(stored: unknown): BookingDraft['unanswered'] {
  if (!isRecord(stored) || !isRecord(stored['guard'])) return null
  const [booking, token] = [text(stored['booking']), text(stored['guard']['x-form-token'])]
  return booking ? { booking, guard: token ? { 'x-form-token': token } : {} } : null
}

function readService(stored: unknown): Service | null {
  if (!isRecord(stored)) return null
  const { id, name, description, duration_minutes, price_from_cents: price } = stored
  if (typeof id !== 'string' || typeof name !== 'string' || typeof duration_minutes !== 'number') {
    return null
  }
  const price_from_cents = typeof price === 'number' ? price : null
  return { id, name, description: text(description), duration_minutes, price_from_cents }
}

function readConfirmed(stored: unknown): BookingDraft['confirmed'] {
  if (!isRecord(stored)) return null
  const [date, time] = [text(stored['date']), text(stored['time'])]
  if (!isCalendarDate(date) || !isClockTime(time)) return null
  const email = stored['email'] === 'failed' ? 'failed' : 'sent'
  const confirmBy = text(stored['confirmBy']) || null
  const visitPath = /^\/visit\/[\w-]+$/.exec(text(stored['visitPath']))?.[0] ?? null
  return { serviceName: text(stored['serviceName']), date, time, email, confirmBy, visitPath }
}
