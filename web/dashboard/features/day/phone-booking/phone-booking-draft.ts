import * as z from 'zod/mini'
import {
  type PhoneBookingCustomer,
  phoneBookingCustomers,
} from '#contracts/bookings/phone-bookings.ts'
import {
  type PhoneBookingForm,
  emptyPhoneBookingForm,
} from '#domain/bookings/phone-booking-form.ts'
import {
  createTabStorage,
  isRecord,
  readStoredText,
  readStoredTexts,
} from '#web/lib/forms/tab-storage.ts'
import type { ProposedSlot } from './phone-bookings-api.ts'

/** A booking by phone that was begun and neither saved nor thrown away. */
export type PhoneBookingDraft = {
  readonly bookingId: string
  readonly input: PhoneBookingForm
  readonly search: string
  readonly customer: PhoneBookingCustomer | 'new' | undefined
  readonly vehicleIndex: number
  /** What was chosen of it; the rest is empty. */
  readonly form: ProposedSlot
}

const emptyForm: ProposedSlot = { serviceId: '', date: '', time: '', bayId: '' }

/** For as long as the tab lives: a look at another view of the dashboard loses nothing. */
export const phoneBookingDraft = createTabStorage<PhoneBookingDraft>('quick_add', (stored) => {
  if (!isRecord(stored)) return undefined
  const { bookingId, input, search, customer, vehicleIndex, form } = stored
  const id = z.uuid().safeParse(bookingId)
  if (!id.success || typeof vehicleIndex !== 'number') return undefined
  return {
    bookingId: id.data,
    input: readStoredTexts(input, emptyPhoneBookingForm),
    search: readStoredText(search),
    customer: customer === 'new' ? 'new' : phoneBookingCustomers.safeParse([customer]).data?.[0],
    vehicleIndex,
    form: readStoredTexts(form, emptyForm),
  }
})
