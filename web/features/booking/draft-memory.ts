import { emptyBookingForm, type BookingField } from '#domain/booking-form.ts'
import { isCalendarDate } from '#domain/calendar-date.ts'
import { isClockTime } from '#domain/clock-time.ts'
import type { BookingDraft } from './booking-draft.ts'
import type { Service } from './load-services.ts'

const key = 'booking-draft'

/** Keeps the draft in this tab. A browser that refuses storage keeps it until the page is left. */
export function rememberDraft(draft: BookingDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Storage is full or forbidden: the draft still lives in memory.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // As above.
  }
}

/** The remembered draft, piece by piece as far as each is what it should be; undefined without one. */
export function recallDraft(): BookingDraft | undefined {
  try {
    return readDraft(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
  } catch {
    return undefined
  }
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const text = (value: unknown) => (typeof value === 'string' ? value : '')

function readDraft(stored: unknown): BookingDraft | undefined {
  if (!isFields(stored)) return undefined
  const [date, time] = [text(stored['date']), text(stored['time'])]
  return {
    service: readService(stored['service']),
    date: isCalendarDate(date) ? date : null,
    time: isClockTime(time) ? time : null,
    form: readForm(stored['form']),
    problem: null,
    unanswered: readUnanswered(stored['unanswered']),
    confirmed: readConfirmed(stored['confirmed']),
  }
}

function readUnanswered(stored: unknown): BookingDraft['unanswered'] {
  if (!isFields(stored) || !isFields(stored['guard'])) return null
  const [booking, token] = [text(stored['booking']), text(stored['guard']['x-form-token'])]
  return booking ? { booking, guard: token ? { 'x-form-token': token } : {} } : null
}

function readForm(stored: unknown): BookingDraft['form'] {
  const form = { ...emptyBookingForm }
  if (!isFields(stored)) return form
  for (const field of Object.keys(form) as BookingField[]) form[field] = text(stored[field])
  return form
}

function readService(stored: unknown): Service | null {
  if (!isFields(stored)) return null
  const { id, name, description, duration_minutes } = stored
  if (typeof id !== 'string' || typeof name !== 'string' || typeof duration_minutes !== 'number') {
    return null
  }
  return { id, name, description: text(description), duration_minutes }
}

function readConfirmed(stored: unknown): BookingDraft['confirmed'] {
  if (!isFields(stored)) return null
  const [date, time] = [text(stored['date']), text(stored['time'])]
  if (!isCalendarDate(date) || !isClockTime(time)) return null
  const email = stored['email'] === 'failed' ? 'failed' : 'sent'
  const confirmBy = text(stored['confirmBy']) || null
  return { serviceName: text(stored['serviceName']), date, time, email, confirmBy }
}
