import { useMutation, useQueryClient } from '@tanstack/react-query'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'

type Change = {
  readonly title: string
  readonly description: string
  readonly save: () => Promise<void>
}

/**
 * Saves a change that a technician made to an appointment or a task, shows the result in a toast, and then refetches
 * the technician's day.
 */
export function useTechnicianChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ save }: Change) => save(),
    onSuccess: (_, { title, description }) => toast({ title, description }),
    onError: (error) => toast(bookingErrorToast(error)),
    onSettled: () => refetchQueries(queries, 'technician'),
  })
}
