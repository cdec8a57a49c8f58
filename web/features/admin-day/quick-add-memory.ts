import * as z from 'zod/mini'
import { type PhoneBookingCustomer, phoneBookingCustomers } from '#contracts/phone-bookings.ts'
import { type PhoneBookingForm, emptyPhoneBookingForm } from '#domain/caller-form.ts'
import { createTabStorage, isFields, storedText, storedTexts } from '#web/lib/tab-memory.ts'
import type { Place } from './phone-bookings-api.ts'

/** A booking by phone that was begun and neither saved nor thrown away. */
export type BegunBooking = {
  readonly bookingId: string
  readonly typed: PhoneBookingForm
  readonly search: string
  readonly caller: PhoneBookingCustomer | 'new' | undefined
  readonly carIndex: number
  /** What was chosen of it; the rest is empty. */
  readonly wish: Place
}

const noWish: Place = { serviceId: '', date: '', time: '', bayId: '' }

/** For as long as the tab lives: a look at another view of the dashboard loses nothing. */
export const phoneBookingDraft = createTabStorage<BegunBooking>('quick_add', (stored) => {
  if (!isFields(stored)) return undefined
  const { bookingId, typed, search, caller, carIndex, wish } = stored
  const id = z.uuid().safeParse(bookingId)
  if (!id.success || typeof carIndex !== 'number') return undefined
  return {
    bookingId: id.data,
    typed: storedTexts(typed, emptyPhoneBookingForm),
    search: storedText(search),
    caller: caller === 'new' ? 'new' : phoneBookingCustomers.safeParse([caller]).data?.[0],
    carIndex,
    wish: storedTexts(wish, noWish),
  }
})
