import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { notifyCustomer } from '#web/dashboard/kit/bookings/notify-customer.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * Emails the customer about a change of the booking when staff saved the change without an email, or when the earlier
 * email could not be sent.
 */
export function useNotifyCustomer(bookingId: string) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const notification = useMutation({
    mutationFn: (about: 'booked' | 'moved' | 'cancelled') => notifyCustomer(bookingId, about),
    onSuccess: (problem) =>
      toast(
        problem
          ? { title: 'Could not send the email', description: problem, variant: 'destructive' }
          : canSendEmail
            ? { title: 'The email will be sent in a few seconds.' }
            : { title: 'Customer not notified', description: messageInOutbox },
      ),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  return { notify: notification.mutate, isBusy: notification.isPending }
}
