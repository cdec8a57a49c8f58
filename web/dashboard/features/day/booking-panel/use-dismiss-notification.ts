import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { dismissNotification } from '../day-api.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'

/** Dismisses the 'Customer not notified' badge and records the reason in the history. */
export function useDismissNotification(booking: DayBooking, onDone: () => void) {
  const queries = useQueryClient()
  const dismissing = useMutation({
    mutationFn: (reason: string) => dismissNotification(booking, reason),
    onSuccess: onDone,
    onError: (error) => toast(bookingErrorToast(error, 'Could not dismiss the notification')),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  return { dismiss: dismissing.mutate, isBusy: dismissing.isPending }
}
