import { useSyncExternalStore } from 'react'
import { emptyDraft, type BookingDraft } from './booking-draft.ts'
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts'

/*
 * Stores the draft of a booking. The draft is outside of React's state, so that it survives a visit to another page,
 * and in the tab's session storage, so that it survives a reload or a tab that the browser discarded. The draft is
 * deleted when the tab is closed or the booking is stored.
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

/** Deletes the draft in memory and in the tab's session storage. */
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
