import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { PhoneBookingCustomer } from '#contracts/bookings/phone-bookings.ts'
import {
  phoneBookingFieldLimits,
  type PhoneBookingForm,
  customerFromSearch,
  parseVehicleLine,
  checkPhoneBookingForm,
  emptyPhoneBookingForm,
} from '#domain/bookings/phone-booking-form.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { otherVehicle } from './customer-fields.tsx'
import { useShownInDay } from '../board/new-booking.ts'
import { findCustomers, noBay } from './phone-bookings-api.ts'
import { phoneBookingDraft } from './phone-booking-draft.ts'
import { usePrefilledCustomer } from './use-prefilled-customer.ts'
import { useBookedToast, usePhoneBooking } from './use-phone-booking.ts'
import { type SlotStart, useProposedSlot } from '../slot/use-proposed-slot.ts'

type Options = {
  readonly start: SlotStart
  readonly element: RefObject<HTMLFormElement | null>
  readonly onBooked: (bookingId: string, date: string) => void
}

export type PhoneBookingPanelState = ReturnType<typeof usePhoneBookingPanel>

/** The minimum number of digits for looking up a phone number. */
const shortestNumber = 7

/** State of the phone booking panel until the booking is saved: input, customer, slot and prompts. */
export function usePhoneBookingPanel({ start, element, onBooked }: Options) {
  const [draft] = useState(phoneBookingDraft.recall)
  const [input, setInput] = useState(draft?.input ?? emptyPhoneBookingForm)
  const [search, setSearch] = useState(draft?.search ?? '')
  const [customer, setCustomer] = useState(draft?.customer)
  const [vehicleIndex, setVehicleIndex] = useState(draft?.vehicleIndex ?? otherVehicle)
  const [searchError, setSearchError] = useState<string>()
  const [promptCount, setPromptCount] = useState(0)
  const form = useForm({
    element,
    values: input,
    onChange: setInput,
    limits: phoneBookingFieldLimits,
  })
  const [bookingId] = useState(() => draft?.bookingId ?? randomUuid())
  const placing = useProposedSlot(
    start,
    draft?.form,
    existingCustomer(customer)?.last_service_id,
    bookingId,
  )
  useShownInDay(displayedSlot(placing))
  const showBookedToast = useBookedToast()
  const sameNumber = useSameNumber(customer === 'new' ? input.phone : '')
  const focus = useFocusNext(element)

  const booking = usePhoneBooking({
    bookingId,
    onSlotProblem: () => setPromptCount((count) => count + 1),
    onBooked: (booked) => {
      const bay = placing.day?.bays.find(({ id }) => id === booked.bay_id)
      phoneBookingDraft.forget()
      showBookedToast(booked, bay?.name ?? 'No bay')
      onBooked(booked.id, booked.appointment_date)
    },
  })

  function choose(chosen: PhoneBookingCustomer, vehicle: number) {
    setCustomer(chosen)
    setVehicleIndex(chosen.vehicles.length === 0 ? otherVehicle : vehicle)
    setSearchError(undefined)
    const { customer_name: name, customer_phone: phone, customer_email } = chosen
    setInput({ ...input, name, phone, email: customer_email ?? '' })
    // From the vehicle field, Enter saves the form.
    focus('input[name="car-choice"]:checked')
  }

  function beginNew(found: Pick<PhoneBookingForm, 'name' | 'phone'>) {
    setCustomer('new')
    setSearchError(undefined)
    setInput({ ...input, ...found, email: '' })
    focus(`input[name="${found.name === '' ? 'name' : 'phone'}"]`)
  }

  function resetCustomer() {
    setCustomer(undefined)
    setSearch('')
    setInput({ ...input, name: '', phone: '', email: '' })
    focus('input[name="search"]')
  }

  function save() {
    if (customer === undefined) {
      setSearchError('Please say who is calling.')
      return focus('input[name="search"]')
    }
    const errors = checkPhoneBookingForm(input, placing.slot.bayId === noBay)
    if (Object.keys(errors).length > 0) return form.complain(errors)
    form.accept()
    if (placing.slot.time === '') return focus('select[name="time"]')
    booking.book({
      form: input,
      slot: placing.slot,
      vehicle: selectedVehicle(existingCustomer(customer), vehicleIndex, input),
      isAccepted: placing.isAccepted,
    })
  }

  function bookAnyway() {
    placing.bookAnyway()
    focus(placing.slotProblem?.isRefused ? 'input[name="reason"]' : 'textarea[name="notes"]')
  }

  const hasInput = customer !== undefined || search !== '' || Object.values(input).some(Boolean)
  useEffect(() => {
    if (!hasInput) return phoneBookingDraft.forget()
    phoneBookingDraft.remember({
      bookingId,
      input,
      search,
      customer,
      vehicleIndex,
      form: placing.form,
    })
  }, [hasInput, bookingId, input, search, customer, vehicleIndex, placing.form])
  usePrefilledCustomer({ hasInput, choose, beginNew })
  return {
    input,
    form,
    customer,
    vehicleIndex,
    searchError,
    sameNumber,
    placing,
    promptCount,
    hasInput,
    /** A customer with an email address receives the confirmation there, so the field is hidden. */
    hasEmailField: customer === 'new' || existingCustomer(customer)?.customer_email === null,
    isBusy: booking.isBusy,
    failure: booking.failure,
    search,
    setSearch: setSearch,
    choose,
    selectVehicle: setVehicleIndex,
    beginNew: (searched: string) => beginNew(customerFromSearch(searched)),
    resetCustomer,
    useEmail: (email: string) => form.change({ email }),
    forget: phoneBookingDraft.forget,
    bookAnyway,
    save,
  }
}

const existingCustomer = (customer: PhoneBookingCustomer | 'new' | undefined) =>
  customer === 'new' ? undefined : customer

/**
 * The slot that the day view draws, or undefined until time and bay are known. 'First free' is drawn in the
 * bay that the database assigned.
 */
function displayedSlot({ slot, service, check }: ReturnType<typeof useProposedSlot>) {
  const bayId =
    slot.bayId === '' ? check?.assigned_bay_id : slot.bayId === noBay ? null : slot.bayId
  if (!service || slot.time === '' || bayId === undefined) return undefined
  if (bayId === null && slot.bayId === '') return undefined
  const startsAtMinute = minuteOfTime(slot.time)
  const endsAtMinute = startsAtMinute + service.duration_minutes
  return { date: slot.date, bayId, startsAtMinute, endsAtMinute }
}

function selectedVehicle(
  customer: PhoneBookingCustomer | undefined,
  index: number,
  { vehicle }: PhoneBookingForm,
): ColoredVehicle {
  const chosen = customer?.vehicles[index]
  if (!chosen) return { ...parseVehicleLine(vehicle), vehicle_color: null }
  const { year, make, model, color } = chosen
  return { vehicle_year: year, vehicle_make: make, vehicle_model: model, vehicle_color: color }
}

/**
 * Existing customers with the typed phone number. The panel shows them before a new customer with the same
 * number is created.
 */
function useSameNumber(phone: string): readonly PhoneBookingCustomer[] {
  const digits = phone.replaceAll(/\D/g, '')
  const isWhole = digits.length >= shortestNumber
  const found = useQuery({
    queryKey: ['bookings', 'phone-customers', digits],
    queryFn: () => findCustomers(digits),
    enabled: isWhole,
  })
  return isWhole ? (found.data ?? []) : []
}

/** Focuses an element after the next render, once it exists. */
function useFocusNext(element: RefObject<HTMLElement | null>) {
  const [focusTarget, setFocusTarget] = useState<{ selector: string }>()
  useEffect(() => {
    if (focusTarget) element.current?.querySelector<HTMLElement>(focusTarget.selector)?.focus()
  }, [focusTarget, element])
  return (selector: string) => setFocusTarget({ selector })
}
