import { useSyncExternalStore } from 'react'
import { emptyBookingForm, type BookingForm } from '#domain/booking-form.ts'
import type { GuardHeaders } from '#web/lib/form-guard.ts'
import type { Service } from './load-services.ts'
import { forgetDraft, recallDraft, rememberDraft } from './draft-memory.ts'

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

/*
 * Outside of React, so that a look at another page keeps it; in the tab's session storage, so that a
 * reload or a phone that drops the tab keeps it too. It ends with the tab or with the booking.
 */
let draft: BookingDraft | undefined
const listeners = new Set<() => void>()

export function currentDraft(): BookingDraft {
  draft ??= recallDraft() ?? emptyDraft
  return draft
}

export function changeDraft(change: Partial<BookingDraft>): void {
  draft = { ...currentDraft(), ...change }
  rememberDraft(draft)
  for (const listener of listeners) listener()
}

/** Forgets everything typed and chosen, here and in the tab's memory. */
export function clearDraft(): void {
  draft = emptyDraft
  forgetDraft()
  for (const listener of listeners) listener()
}

export function useBookingDraft(): BookingDraft {
  return useSyncExternalStore(subscribe, currentDraft, () => emptyDraft)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
