import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { retentionMessage } from '#web/dashboard/kit/records/retention-message.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { completeBooking, deleteBooking, undoCompletion } from '../bookings-api.ts'

/**
 * The delay, in milliseconds, between the completion of a booking by staff and the refetch of the bookings
 * (docs/product.md 4.3).
 */
const reloadDelayMs = 100

const notCompletedCode = 'TT021'

export type BookingActions = {
  readonly complete: (booking: Booking) => void
  readonly undo: (booking: Booking) => void
  /** Deletes a completed booking. Resolves to true if the booking was deleted. */
  readonly remove: (booking: Booking) => Promise<boolean>
  /** The id of the booking whose change is being saved, if any. */
  readonly busyId: string | undefined
}

/** Completes, reopens and deletes bookings. Each action shows a toast and then refetches the bookings. */
export function useBookingActions(): BookingActions {
  const queries = useQueryClient()
  const reload = () => refetchQueries(queries, 'bookings')

  const completion = useMutation({
    mutationFn: (booking: Booking) => completeBooking(booking.id),
    onSuccess: (wasOpen) =>
      toast({
        title: 'Appointment Completed',
        ...(wasOpen
          ? {}
          : { description: 'The appointment was already completed or deleted in another window.' }),
      }),
    onError: () => failed('Failed to complete appointment.'),
    onSettled: () => void setTimeout(() => void reload(), reloadDelayMs),
  })
  const undoMutation = useMutation({
    mutationFn: (booking: Booking) => undoCompletion(booking.id),
    onSuccess: (wasCompleted) =>
      toast({
        title: 'Completion Undone',
        ...(wasCompleted
          ? {}
          : {
              description: 'The appointment was reopened or deleted in another window.',
            }),
      }),
    onError: () => failed('Failed to undo completion.'),
    onSettled: reload,
  })
  const deletion = useMutation({
    mutationFn: (booking: Booking) => deleteBooking(booking.id),
    onSuccess: () => toast({ title: 'Appointment Deleted' }),
    onError: (error) => {
      const reason = retentionMessage(error) ?? notCompletedMessage(error)
      if (reason === undefined) return failed('Failed to delete appointment.')
      return toast({ title: 'Cannot Delete', description: reason, variant: 'destructive' })
    },
    onSettled: reload,
  })

  const busy = [completion, undoMutation, deletion].find(({ isPending }) => isPending)
  return {
    complete: (booking) => completion.mutate(booking),
    undo: (booking) => undoMutation.mutate(booking),
    remove: (booking) =>
      deletion.mutateAsync(booking).then(
        () => true,
        () => false,
      ),
    busyId: busy?.variables?.id,
  }
}

function failed(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' })
}

const notCompletedMessage = (error: unknown): string | undefined =>
  error instanceof DataError && error.code === notCompletedCode
    ? 'Only completed appointments can be deleted.'
    : undefined
