import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { notificationProblem, notifyCustomer } from '#web/dashboard/kit/bookings/notify-customer.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast, type ToastMessage } from '#web/ui/toast/toast.ts'
import { isMoveEmailSent, moveBooking, type MoveTarget, moveTargetOf } from './move-api.ts'
import { changesOf, formatMoveTarget } from './move-text.ts'
import { noBay } from '../phone-booking/phone-bookings-api.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'

type MoveRequest = {
  /** The booking, in the version that the user saw. */
  readonly booking: DayBooking
  readonly slot: MoveTarget
  readonly bays: ShopDay['bays']
  readonly notifies: boolean
}
type Moved = MoveRequest & { readonly version: number }

/**
 * Moves bookings, shows a toast, notifies the customer on request, and offers to undo the move for ten
 * seconds.
 */
export function useMove() {
  const queries = useQueryClient()
  const undo = useUndo()
  const canSendEmail = useCanSendEmail()
  const showNotified = (moved: Moved, text: string, problem: string | undefined) => {
    const { customer_email, customer_phone } = moved.booking
    toast({
      ...(problem
        ? {
            title: 'Moved, customer not notified',
            description: `The email to ${customer_email} failed. ${problem} Call ${customer_phone}.`,
            variant: 'destructive',
          }
        : canSendEmail
          ? {
              title: 'Moved and customer notified',
              description: `${text}. The email will be sent in a few seconds.`,
            }
          : {
              title: 'Moved, customer not notified',
              description: `${text}. ${messageInOutbox} Call ${customer_phone}.`,
            }),
      action: { label: 'Undo', run: () => undo({ ...moved, notifies: true }) },
    })
  }
  const notify = async (moved: Moved, text: string) => {
    showNotified(moved, text, await notifyCustomer(moved.booking.id, 'moved'))
    await refetchQueries(queries, 'bookings')
  }
  const moveMutation = useMutation({
    mutationFn: ({ booking, slot, notifies }: MoveRequest) => moveBooking(booking, slot, notifies),
    onSuccess: ({ version, bayId, notification }, request) => {
      const moved = { ...request, version }
      const slot = { ...request.slot, bayId: bayId ?? noBay }
      const text = `${request.booking.customer_name} to ${formatMoveTarget(slot, request.bays)}`
      if (request.notifies) return showNotified(moved, text, notificationProblem(notification))
      toast({
        title: 'Moved',
        ...notNotifiedToast(moved, text, () => void notify(moved, text)),
        action: { label: 'Undo', run: () => undo(moved) },
      })
    },
    // After a successful move, wait for the refetch, so that the caller continues with the new data. After an error, do
    // not wait for the refetch.
    onSettled: (_moved, error) => {
      const reading = refetchQueries(queries, 'bookings')
      return error ? undefined : reading
    },
  })
  return { move: moveMutation.mutateAsync, isBusy: moveMutation.isPending }
}

/**
 * The text and buttons of the toast after a move without an email. If the time changed, the toast asks staff to notify
 * the customer.
 */
function notNotifiedToast(
  { booking, slot }: Moved,
  text: string,
  onNotify: () => void,
): Partial<ToastMessage> {
  if (!changesOf(moveTargetOf(booking), slot).time) return { description: `${text}.` }
  if (booking.customer_email === null) {
    return { description: `${text}. Customer not notified yet. Call ${booking.customer_phone}.` }
  }
  return {
    description: `${text}. Customer not notified yet.`,
    alternative: { label: 'Send email', run: onNotify },
  }
}

/** Moves a booking back to the slot that it had before, unless someone has changed the booking since. */
function useUndo() {
  const queries = useQueryClient()
  const undoMutation = useMutation({
    mutationFn: async ({ booking, version, notifies }: Moved) => {
      const reason = 'Move undone immediately'
      await moveBooking({ id: booking.id, version }, { ...moveTargetOf(booking), reason }, false)
      return notifies && (await isMoveEmailSent(booking.id).catch(() => true))
    },
    onSuccess: (wasEmailSent, { booking, bays, notifies }) => {
      const movedBackText = `${booking.customer_name} is back at ${formatMoveTarget(moveTargetOf(booking), bays)}.`
      const notifyAgain = () => void notifyCustomer(booking.id, 'moved')
      toast({
        title: 'Move undone',
        description: wasEmailSent
          ? `${movedBackText} The email about the other time may already be sent. Call or send another email.`
          : `${movedBackText}${notifies ? ' The email will not be sent.' : ''}`,
        ...(wasEmailSent && { action: { label: 'Send email', run: notifyAgain } }),
      })
    },
    onError: (error) => toast(bookingErrorToast(error, 'Not undone')),
    onSettled: () => void refetchQueries(queries, 'bookings'),
  })
  return undoMutation.mutate
}
