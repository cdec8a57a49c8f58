import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { PhoneBookingCustomer } from '#contracts/bookings/phone-bookings.ts'
import {
  phoneBookingFieldLimits,
  type PhoneBookingErrors,
  type PhoneBookingForm,
  customerFromSearch,
  parseVehicleLine,
  checkPhoneBookingForm,
} from '#domain/bookings/phone-booking-form.ts'
import { findBookingsOfVehicle } from '#domain/bookings/same-vehicle.ts'
import { minuteOfTime } from '#domain/calendar/clock-time.ts'
import { addMinutes } from '#domain/calendar/shop-date-time.ts'
import { useVersionedForm } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { setBookedBooking } from '../board/booked-booking.ts'
import { useShownInDay } from '../board/unsaved-place.ts'
import { type ChosenVehicle, findCustomers, noBay } from './phone-bookings-api.ts'
import {
  emptyPhoneBooking,
  hasInput,
  inputOf,
  otherVehicle,
  phoneBookingDraft,
  type PhoneBookingValues,
} from './phone-booking-draft.ts'
import { usePrefilledCustomer } from './use-prefilled-customer.ts'
import { useBookedToast, usePhoneBooking } from './use-phone-booking.ts'
import { proposedSlotOf, type SlotStart, useProposedSlot } from '../slot/use-proposed-slot.ts'

type Options = {
  readonly start: SlotStart
  readonly element: RefObject<HTMLFormElement | null>
  /** Called after the booking was saved and the panel has shown the toast. */
  readonly onBooked: () => void
}

export type PhoneBookingPanelState = ReturnType<typeof usePhoneBookingPanel>

/** The panel looks up existing customers by phone number only if the user has typed at least this many digits. */
const shortestNumber = 7

/** State of the phone booking panel until the booking is saved: input, customer, slot and prompts. */
export function usePhoneBookingPanel({ start, element, onBooked }: Options) {
  const [saved] = useState(() => ({ form: emptyPhoneBooking(proposedSlotOf(start)), version: 0 }))
  const [promptCount, setPromptCount] = useState(0)
  const showBookedToast = useBookedToast()
  const focus = useFocusNext(element)
  const { values, form, record, save, isSaving } = useVersionedForm<
    PhoneBookingValues,
    Saved<PhoneBookingValues>
  >({
    saved,
    draftStorage: phoneBookingDraft,
    // The booking does not exist yet, so no other user can change it and no version conflict can occur.
    othersChanges: 'merged',
    read: async () => saved,
    element,
    limits: phoneBookingFieldLimits,
    check: (typed): PhoneBookingErrors =>
      checkPhoneBookingForm(typed, placing.slot.bayId === noBay),
    async write(typed) {
      if (placing.slot.time === '') {
        focus('select[name="time"]')
        return 'declined'
      }
      const booked = await booking.book({
        form: inputOf(typed),
        slot: placing.slot,
        vehicle: selectedVehicle(existingCustomer(typed.customer), typed.vehicleIndex, typed),
        isAccepted: placing.isAccepted,
      })
      return booked ? 'ended' : 'declined'
    },
  })
  const { customer, vehicleIndex, bookingId } = values
  // If the user presses a free slot while the panel is open, the form takes the time of that slot. The button 'New
  // booking' passes no time, so the form keeps the chosen time.
  useLayoutEffect(() => {
    if (start.time === undefined) return
    record.change((shown) => ({ ...shown, slot: proposedSlotOf(start, shown.slot.serviceId) }))
  }, [record, start])
  const placing = useProposedSlot({
    form: values.slot,
    setForm: (slot) => form.change({ slot }),
    lastServiceId: existingCustomer(customer)?.last_service_id,
    bookingId,
  })
  useShownInDay(placeOf(placing))
  const sameNumber = useSameNumber(customer === 'new' ? values.phone : '')

  const booking = usePhoneBooking({
    bookingId,
    onSlotProblem: () => setPromptCount((count) => count + 1),
    onBooked: (booked) => {
      const bay = placing.day?.bays.find(({ id }) => id === booked.bayId)
      phoneBookingDraft.forget()
      showBookedToast(booked, bay?.name ?? 'No bay')
      setBookedBooking(booked.id)
      onBooked()
    },
  })

  const choice = useCustomerChoice({ change: form.change, focus })

  function book() {
    if (customer === undefined) return choice.require()
    save()
  }

  function bookAnyway() {
    placing.bookAnyway()
    focus(placing.slotProblem?.isRefused ? 'input[name="reason"]' : 'textarea[name="notes"]')
  }

  const { choose, beginNew } = choice
  usePrefilledCustomer({ hasInput: hasInput(values), choose, beginNew })
  return {
    input: values,
    form,
    customer,
    vehicleIndex,
    searchError: choice.error,
    sameNumber,
    placing,
    /** The bookings of the selected vehicle at an overlapping time. */
    sameVehicle: findSameVehicle(
      placing,
      existingCustomer(customer)?.vehicles[vehicleIndex]?.id ?? null,
    ),
    promptCount,
    hasInput: hasInput(values),
    /**
     * For a customer with a known email address, the email field is hidden, because the confirmation goes to that
     * address.
     */
    hasEmailField: customer === 'new' || existingCustomer(customer)?.customer_email === null,
    isBusy: isSaving,
    failure: booking.failure,
    search: values.search,
    setSearch: (search: string) => form.change({ search }),
    choose,
    selectVehicle: (index: number) => form.change({ vehicleIndex: index }),
    beginNew: (searched: string) => beginNew(customerFromSearch(searched)),
    resetCustomer: choice.reset,
    useEmail: (email: string) => form.change({ email }),
    forget: record.discard,
    bookAnyway,
    save: book,
  }
}

/** The chosen customer of the booking: an existing customer, a new customer, or none yet. */
function useCustomerChoice(options: {
  change: (values: Partial<PhoneBookingValues>) => void
  /** Focuses the element of the form that matches a CSS selector. */
  focus: (selector: string) => void
}) {
  const { change, focus } = options
  const [error, setError] = useState<string>()
  return {
    error,
    choose: (chosen: PhoneBookingCustomer, vehicle: number) => {
      setError(undefined)
      change({
        customer: chosen,
        vehicleIndex: chosen.vehicles.length === 0 ? otherVehicle : vehicle,
        name: chosen.customer_name,
        phone: chosen.customer_phone,
        email: chosen.customer_email ?? '',
      })
      // Focuses the radio button of the selected vehicle. While this radio button has the focus, Enter saves the
      // booking.
      focus('input[name="car-choice"]:checked')
    },
    beginNew: (found: Pick<PhoneBookingForm, 'name' | 'phone'>) => {
      setError(undefined)
      change({ customer: 'new', ...found, email: '' })
      focus(`input[name="${found.name === '' ? 'name' : 'phone'}"]`)
    },
    reset: () => {
      change({ customer: undefined, search: '', name: '', phone: '', email: '' })
      focus('input[name="search"]')
    },
    require: () => {
      setError('Please choose the customer or add a new one.')
      focus('input[name="search"]')
    },
  }
}

const existingCustomer = (customer: PhoneBookingCustomer | 'new' | undefined) =>
  customer === 'new' ? undefined : customer

/**
 * The slot that the day view draws; undefined until time and bay are known. For the choice 'First free', the day view
 * draws the slot in the bay that the database assigned. If no bay is free, the day view draws the slot in every bay.
 */
function placeOf({ slot, service, check, slotProblem }: ReturnType<typeof useProposedSlot>) {
  const isConflict = slotProblem !== undefined
  const firstFreeId = check?.assigned_bay_id ?? undefined
  const bayId = slot.bayId === '' ? firstFreeId : slot.bayId === noBay ? null : slot.bayId
  if (!service || slot.time === '' || (bayId === undefined && !isConflict)) return undefined
  const startsAtMinute = minuteOfTime(slot.time)
  const endsAtMinute = startsAtMinute + service.duration_minutes
  return { date: slot.date, bayId, startsAtMinute, endsAtMinute, isConflict }
}

function findSameVehicle(
  { slot, service, day }: ReturnType<typeof useProposedSlot>,
  vehicle_id: string | null,
) {
  if (!service || !day || slot.time === '') return []
  const starts_at = `${slot.date}T${slot.time}:00`
  const ends_at = `${addMinutes(starts_at, service.duration_minutes)}:00`
  return findBookingsOfVehicle(day.bookings, { vehicle_id, starts_at, ends_at })
}

function selectedVehicle(
  customer: PhoneBookingCustomer | undefined,
  index: number,
  { vehicle }: PhoneBookingForm,
): ChosenVehicle {
  const chosen = customer?.vehicles[index]
  if (!chosen) return { ...parseVehicleLine(vehicle), vehicle_color: null }
  const { year, make, model, color } = chosen
  return {
    vehicle_year: year,
    vehicle_make: make,
    vehicle_model: model,
    vehicle_color: color,
    plate: null,
  }
}

/**
 * Finds existing customers with the typed phone number. The panel shows these customers before staff create a new
 * customer with the same number.
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

/** Returns a function that focuses an element after the next render, when the element exists. */
function useFocusNext(element: RefObject<HTMLElement | null>) {
  const [focusTarget, setFocusTarget] = useState<{ selector: string }>()
  useEffect(() => {
    if (focusTarget) element.current?.querySelector<HTMLElement>(focusTarget.selector)?.focus()
  }, [focusTarget, element])
  return (selector: string) => setFocusTarget({ selector })
}
