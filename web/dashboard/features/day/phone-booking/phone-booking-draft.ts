import * as z from 'zod/mini'
import {
  type PhoneBookingCustomer,
  phoneBookingCustomers,
} from '#contracts/bookings/phone-bookings.ts'
import {
  type PhoneBookingForm,
  emptyPhoneBookingForm,
} from '#domain/bookings/phone-booking-form.ts'
import type { DraftStorage } from '#web/dashboard/kit/forms/versioned-draft.ts'
import {
  createDraftStorage,
  isRecord,
  readStoredText,
  readStoredTexts,
} from '#web/lib/forms/draft-storage.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import type { ProposedSlot } from './phone-bookings-api.ts'

/** The typed values of a phone booking. */
export type PhoneBookingValues = PhoneBookingForm & {
  /** The id of the new booking. A repeated request with the same id does not create a second booking. */
  readonly bookingId: string
  readonly search: string
  readonly customer: PhoneBookingCustomer | 'new' | undefined
  readonly vehicleIndex: number
  /** The service, date, time and bay that the user has chosen; '' for each field without a choice. */
  readonly slot: ProposedSlot
}

/** The value of `vehicleIndex` for the choice 'Different vehicle'. */
export const otherVehicle = -1

const emptySlot: ProposedSlot = { serviceId: '', date: '', time: '', bayId: '' }

export const emptyPhoneBooking = (slot: ProposedSlot): PhoneBookingValues => ({
  ...emptyPhoneBookingForm,
  bookingId: randomUuid(),
  search: '',
  customer: undefined,
  vehicleIndex: otherVehicle,
  slot,
})

/**
 * Whether closing the panel would lose typed input. A chosen slot alone does not count, because the user can choose the
 * slot again with one press.
 */
export function hasInput({ customer, search, ...values }: PhoneBookingValues): boolean {
  return customer !== undefined || search !== '' || Object.values(inputOf(values)).some(Boolean)
}

/** Returns only the values of the form's text fields. */
export function inputOf(values: PhoneBookingForm): PhoneBookingForm {
  return readStoredTexts(values, emptyPhoneBookingForm)
}

const storage = createDraftStorage<PhoneBookingValues>('phone_booking', (stored) => {
  if (!isRecord(stored)) return undefined
  const { bookingId, search, customer, vehicleIndex, slot } = stored
  const id = z.uuid().safeParse(bookingId)
  if (!id.success || typeof vehicleIndex !== 'number') return undefined
  return {
    ...readStoredTexts(stored, emptyPhoneBookingForm),
    bookingId: id.data,
    search: readStoredText(search),
    customer: customer === 'new' ? 'new' : phoneBookingCustomers.safeParse([customer]).data?.[0],
    vehicleIndex,
    slot: readStoredTexts(slot, emptySlot),
  }
})

/**
 * Stores the draft of a phone booking in the session storage of the tab, so that the draft survives a change of the
 * view and a reload.
 */
export const phoneBookingDraft: DraftStorage<PhoneBookingValues> = {
  remember: ({ values }) => (hasInput(values) ? storage.remember(values) : storage.forget()),
  recall() {
    const values = storage.recall()
    return values && { values, base: emptyPhoneBooking(values.slot), version: 0 }
  },
  forget: storage.forget,
}
