import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { looksAutomated } from '../card/booking-text.ts'
import {
  cancelBookings,
  type ReopenedBooking,
  reopenBookings,
  type SelectableBooking,
} from '../bookings-api.ts'

/** A request to cancel several bookings for one reason. */
export type BulkCancellation = {
  readonly chosen: readonly SelectableBooking[]
  readonly reason: string
  /**
   * Whether the server emails the customers about the cancellation. Customers without an email address get no email.
   */
  readonly notifies: boolean
}

/** The result of cancelling several bookings. */
type Outcome = {
  readonly cancelled: readonly (ReopenedBooking & { readonly customer_name: string })[]
  /** Bookings that were not cancelled, because another user had already completed, cancelled or deleted them. */
  readonly missed: readonly SelectableBooking[]
  /** Bookings for which the notification email to the customer failed. */
  readonly notNotified: readonly SelectableBooking[]
}

const nothing: Outcome = { cancelled: [], missed: [], notNotified: [] }

export type Cancellation = Outcome & {
  /** Cancels the bookings that `request` names. Resolves to true if the cancellation succeeded. */
  readonly cancel: (request: BulkCancellation) => Promise<boolean>
  readonly undo: () => void
  readonly forget: () => void
  readonly reopen: (booking: Booking) => void
  readonly isBusy: boolean
  /** The id of the booking that is being reopened, if any. */
  readonly busyId: string | undefined
}

/**
 * Whether the shop emails the customer of a cancelled booking. The customer of a booking that looks automated gets no
 * email, because the email address in that booking probably belongs to someone else.
 */
export function isNotifiedByEmail(booking: SelectableBooking): boolean {
  return booking.customer_email !== null && !looksAutomated(booking)
}

/**
 * Cancels several bookings together, undoes the cancellation of those whose slot is still free, and reopens single
 * bookings.
 */
export function useCancellation(): Cancellation {
  const queries = useQueryClient()
  const reload = () => refetchQueries(queries, 'bookings')
  const [outcome, setOutcome] = useState(nothing)

  const cancelling = useMutation({
    mutationFn: cancelAndNotify,
    onSuccess: setOutcome,
    onError: () => failed('The appointments were not cancelled. Please try again.'),
    onSettled: reload,
  })
  const undoing = useMutation({
    mutationFn: (toRestore: Outcome['cancelled']) =>
      reopenBookings(toRestore.map(({ id, status }) => ({ id, status }))),
    onSuccess: (reopened, toRestore) => {
      setOutcome(nothing)
      const lost = toRestore.filter(({ id }) => !reopened.includes(id))
      toastReopened(
        toRestore.length,
        lost.map(({ customer_name }) => customer_name),
      )
    },
    onError: () => failed('Failed to undo the cancellation. Please try again.'),
    onSettled: reload,
  })
  const reopening = useMutation({
    mutationFn: ({ id }: Booking) => reopenBookings([{ id, status: 'confirmed' }]),
    onSuccess: (reopened, booking) =>
      reopened.length === 1
        ? toast({ title: reopenedTitle(booking) })
        : toastReopened(1, [booking.customer_name]),
    onError: () => failed('Failed to change the appointment. Please try again.'),
    onSettled: reload,
  })

  return {
    ...outcome,
    cancel: (request) =>
      cancelling.mutateAsync(request).then(
        () => true,
        () => false,
      ),
    undo: () => undoing.mutate(outcome.cancelled),
    forget: () => setOutcome(nothing),
    reopen: (booking) => reopening.mutate(booking),
    isBusy: cancelling.isPending || undoing.isPending,
    busyId: reopening.isPending ? reopening.variables.id : undefined,
  }
}

async function cancelAndNotify({ chosen, reason, notifies }: BulkCancellation): Promise<Outcome> {
  const ids = chosen.map(({ id }) => id)
  const notifiedIds = notifies ? chosen.filter(isNotifiedByEmail).map(({ id }) => id) : []
  const outcome = await cancelBookings(ids, reason, notifiedIds)
  const done = new Map(outcome.cancelled.map(({ id, previousStatus }) => [id, previousStatus]))
  return {
    cancelled: chosen.flatMap(({ id, customer_name }) => {
      const status = done.get(id)
      return status === undefined ? [] : [{ id, status, customer_name }]
    }),
    missed: chosen.filter(({ id }) => !done.has(id)),
    notNotified: chosen.filter(({ id }) => outcome.notNotified.includes(id)),
  }
}

/**
 * The title of the toast after staff reopened a cancelled booking, confirmed an unconfirmed booking, or kept a booking
 * that still waits for the customer's confirmation. The title repeats the verb of the pressed button.
 */
function reopenedTitle({ status, held_until }: Booking): string {
  if (status === 'cancelled') return 'Appointment Reopened'
  return held_until === null ? 'Appointment Confirmed' : 'Appointment Kept'
}

function toastReopened(count: number, lost: readonly string[]): void {
  if (lost.length === 0) {
    return toast({ title: count === 1 ? 'Appointment Reopened' : 'Appointments Reopened' })
  }
  const description =
    count === 1
      ? 'Another appointment has this time now, or the customer has five other upcoming appointments, the maximum. Nothing was changed.'
      : `${count - lost.length} of ${count} restored. No longer possible: ${lost.join(', ')}. These stay cancelled.`
  toast({ title: 'Not Reopened', description, variant: 'destructive' })
}

function failed(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' })
}
