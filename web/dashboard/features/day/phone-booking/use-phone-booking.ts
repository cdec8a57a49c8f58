import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PhoneBookingForm } from '#domain/bookings/phone-booking-form.ts'
import type { ColoredVehicle } from '#domain/customers/vehicle.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { notifyCustomer } from '#web/dashboard/kit/bookings/notify-customer.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast, type ToastMessage } from '#web/ui/toast/toast.ts'
import { formatShortDateTime } from '../day-text.ts'
import {
  bookByPhone,
  type BookedAppointment,
  noBay,
  type ProposedSlot,
  undoPhoneBooking,
} from './phone-bookings-api.ts'
import { checkSlotNow } from '../slot/use-proposed-slot.ts'

type BookingRequest = {
  readonly form: PhoneBookingForm
  readonly slot: ProposedSlot
  readonly vehicle: ColoredVehicle
  /** Whether staff know that the place lies outside the hours. */
  readonly isAccepted: boolean
}

type Options = {
  /** Its own, so that it may be asked for again. */
  readonly bookingId: string
  /** Called instead of booking when there is something to decide first. */
  readonly onSlotProblem: () => void
  readonly onBooked: (booked: BookedAppointment) => void
}

/** Books once, however often it is asked to: what was not answered may be asked again. */
export function usePhoneBooking({ bookingId, onSlotProblem, onBooked }: Options) {
  const queries = useQueryClient()
  const booking = useMutation({
    mutationFn: async ({ form, slot, vehicle, isAccepted }: BookingRequest) => {
      const check = slot.bayId === noBay ? null : await checkSlotNow(queries, slot, bookingId)
      const isClosed = check?.warnings.includes('outside_hours') && !isAccepted
      if (check?.refusal || isClosed) return undefined
      return bookByPhone(bookingId, form, slot, vehicle)
    },
    onSuccess: (booked) => (booked ? onBooked(booked) : onSlotProblem()),
    onError: (error) => {
      if (isTaken(error)) onSlotProblem()
    },
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  const failure =
    booking.error && !isTaken(booking.error) ? failureMessage(booking.error) : undefined
  return { book: booking.mutate, isBusy: booking.isPending, failure }
}

/** Says what was booked, with the way back, and has the confirmation written where there is an address. */
export function useBookedToast() {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const undoing = useMutation({
    mutationFn: undoPhoneBooking,
    onSuccess: () => toast({ title: 'Booking undone.' }),
    onError: () =>
      toast({
        title: 'Not undone.',
        description: 'The booking was not changed. Someone else may have changed it first.',
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  async function confirm(booked: BookedAppointment, message: ToastMessage) {
    const problem = await notifyCustomer(booked.id, 'booked')
    if (problem) {
      const call = `Call ${booked.customer_phone}.`
      const description = `No confirmation was sent. ${problem} ${call} ${undoText}`
      toast({ ...message, description, variant: 'destructive' })
    }
    await refetchQueries(queries, 'bookings')
  }
  return (booked: BookedAppointment, bayName: string) => {
    const message: ToastMessage = {
      title: `Booked. ${booked.customer_name}, ${whenOf(booked)}, ${bayName}.`,
      description:
        booked.customer_email && !canSendEmail ? `${messageInOutbox} ${undoText}` : undoText,
      action: { label: 'Undo', run: () => undoing.mutate(booked) },
    }
    toast(message)
    if (booked.customer_email) void confirm(booked, message)
  }
}

const undoText = 'Undo cancels it.'

const whenOf = ({ appointment_date, appointment_time }: BookedAppointment) =>
  formatShortDateTime(appointment_date, appointment_time)

const isTaken = (error: Error) => error instanceof DataError && error.code === '23P01'

/** Why it was not booked, and what to do next. */
function failureMessage(error: Error): string {
  if (!(error instanceof DataError) || error.status === 0) {
    return 'The server did not respond. Press Save again; it will not book twice.'
  }
  if (error.code === 'TT001') return 'This service can no longer be booked. Please choose another.'
  if (error.code === '23514')
    return 'An entry is too long or has characters that cannot be saved. Please check it.'
  return 'Please try again.'
}
