import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { changeBookingState } from '#web/dashboard/kit/bookings/change-booking-state.ts'
import { notificationProblem } from '#web/dashboard/kit/bookings/notify-customer.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { timeOf } from '../board/booking-block-text.ts'
import type { CancelRequest } from './confirm-dialogs.tsx'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'

type Change = {
  readonly booking: DayBooking
  readonly state: string
  readonly cancellation?: CancelRequest | undefined
  readonly isUndo?: boolean
}

export type StateChange = {
  /**
   * Saves a new state of the booking. Shows a toast with the result and an Undo button, or with the error. Resolves to
   * true if the state was saved.
   */
  readonly change: (
    booking: DayBooking,
    state: string,
    cancellation?: CancelRequest,
  ) => Promise<boolean>
  readonly isBusy: boolean
}

const titles: Readonly<Record<string, string>> = {
  arrived: 'Arrived',
  in_work: 'In work',
  completed: 'Appointment Completed',
  cancelled: 'Cancelled',
  no_show: 'No-show',
}

/** Changes the state of bookings. Each change shows its own toast with an Undo button. */
export function useStateChange(): StateChange {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const changing: UseMutationResult<Changed, Error, Change> = useMutation({
    mutationFn: saveChange,
    onSuccess: ({ version, problem }, done) => {
      const undo = undoOf(done, version, (reverse) => changing.mutate(reverse))
      toast(
        problem
          ? {
              title: 'Cancelled, customer not notified.',
              description: `${problem} Call ${done.booking.customer_phone}.`,
              variant: 'destructive',
              ...undo,
            }
          : { title: titleOf(done), description: descriptionOf(done, canSendEmail), ...undo },
      )
    },
    onError: (error) => toast(bookingErrorToast(error)),
    onSettled: () => refetchQueries(queries, 'bookings'),
  })
  return {
    change: (booking, state, cancellation) =>
      changing.mutateAsync({ booking, state, cancellation }).then(
        () => true,
        () => false,
      ),
    isBusy: changing.isPending,
  }
}

/**
 * The result of a change. `version` is the new version of the booking, and `problem` the reason why the customer gets
 * no email about the change; undefined without such a reason.
 */
type Changed = { readonly version: number; readonly problem?: string | undefined }

async function saveChange({ booking, state, cancellation }: Change): Promise<Changed> {
  if (!cancellation) return { version: await changeBookingState(booking, state) }
  const { version, notification } = await runCommand(bookingCommands.cancel, {
    bookingId: booking.id,
    seenVersion: booking.version,
    reason: cancellation.reason || null,
    notifies: cancellation.notifies,
  })
  return { version, problem: notificationProblem(notification) }
}

function titleOf({ booking, state, isUndo }: Change): string {
  if (isUndo) return 'Undone'
  if (titles[state]) return titles[state]
  if (booking.state === 'not_confirmed') return 'Appointment Confirmed'
  return booking.state === 'cancelled' || booking.state === 'completed'
    ? 'Appointment Reopened'
    : 'Undone'
}

function descriptionOf({ booking, cancellation }: Change, canSendEmail: boolean): string {
  const summary = `${booking.customer_name}, ${formatDayOfYear(booking.starts_at.slice(0, 10))}, ${timeOf(booking.starts_at)}.`
  if (!cancellation?.notifies) return summary
  if (!canSendEmail) return `${summary} ${messageInOutbox} Call ${booking.customer_phone}.`
  return `${summary} The email will be sent in a few seconds, unless you undo.`
}

type Undo = { readonly action?: { readonly label: string; readonly run: () => void } }

/**
 * Returns the Undo button of the toast. Two toasts have no Undo button: the toast after an undo, and the toast after
 * the confirmation of an unconfirmed booking, because a booking cannot become unconfirmed again.
 */
function undoOf(
  { booking, isUndo }: Change,
  version: number,
  apply: (reverse: Change) => void,
): Undo {
  if (isUndo || booking.state === 'not_confirmed') return {}
  const reverse = { booking: { ...booking, version }, state: booking.state, isUndo: true }
  return { action: { label: 'Undo', run: () => apply(reverse) } }
}
