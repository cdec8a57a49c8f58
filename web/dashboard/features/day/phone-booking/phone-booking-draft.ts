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
  createDraftStorage,
  isRecord,
  readStoredText,
  readStoredTexts,
} from '#web/lib/forms/draft-storage.ts'
import type { ProposedSlot } from './phone-bookings-api.ts'

/** A phone booking that was neither saved nor discarded. */
export type PhoneBookingDraft = {
  readonly bookingId: string
  readonly input: PhoneBookingForm
  readonly search: string
  readonly customer: PhoneBookingCustomer | 'new' | undefined
  readonly vehicleIndex: number
  /** The chosen fields of the slot; the others are ''. */
  readonly form: ProposedSlot
}

const emptyForm: ProposedSlot = { serviceId: '', date: '', time: '', bayId: '' }

/**
 * The draft in the storage of the browser tab, so that other views of the dashboard and a reload do not lose
 * it.
 */
export const phoneBookingDraft = createDraftStorage<PhoneBookingDraft>('quick_add', (stored) => {
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
