import { useSyncExternalStore } from 'react'
import { emptyDraft, type BookingDraft } from './booking-draft.ts'
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts'

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
