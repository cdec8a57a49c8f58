import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Booking } from '#contracts/bookings.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { toast } from '#web/ui/toast.ts'
import { type Cancelled, cancelBookings, reopenBookings } from './bookings-api.ts'

export type Cancellation = {
  /** Resolves to whether it worked. */
  readonly cancel: (ids: readonly string[]) => Promise<boolean>
  /** What was cancelled last and can be undone. */
  readonly cancelled: readonly Cancelled[]
  readonly undo: () => void
  readonly forget: () => void
  readonly reopen: (booking: Booking) => void
  readonly isBusy: boolean
  /** The appointment that is being reopened, if it is one. */
  readonly busyId: string | undefined
}

/** Cancels many appointments at once, undoes it where the time is still free, and reopens single ones. */
export function useCancellation(): Cancellation {
  const queries = useQueryClient()
  const reload = () => readAgain(queries, 'bookings')
  const [cancelled, setCancelled] = useState<readonly Cancelled[]>([])

  const cancelling = useMutation({
    mutationFn: cancelBookings,
    onSuccess: setCancelled,
    onError: () => failed('Failed to cancel the appointments. None of them was changed.'),
    onSettled: reload,
  })
  const undoing = useMutation({
    mutationFn: reopenAsBefore,
    onSuccess: (reopened, wanted) => {
      setCancelled([])
      sayReopened(reopened.length, wanted.length)
    },
    onError: () => failed('Failed to undo the cancellation. Please try again.'),
    onSettled: reload,
  })
  const reopening = useMutation({
    mutationFn: (booking: Booking) => reopenBookings([booking.id]),
    onSuccess: (reopened, booking) =>
      reopened.length === 1 ? toast({ title: whatStands(booking) }) : sayReopened(0, 1),
    onError: () => failed('Failed to change the appointment. Please try again.'),
    onSettled: reload,
  })

  return {
    cancel: (ids) =>
      cancelling.mutateAsync(ids).then(
        () => true,
        () => false,
      ),
    cancelled,
    undo: () => undoing.mutate(cancelled),
    forget: () => setCancelled([]),
    reopen: (booking) => reopening.mutate(booking),
    isBusy: cancelling.isPending || undoing.isPending,
    busyId: reopening.isPending ? reopening.variables.id : undefined,
  }
}

/** Each status in one call: what was not confirmed does not come back as confirmed. */
async function reopenAsBefore(cancelled: readonly Cancelled[]): Promise<string[]> {
  const reopened: string[] = []
  for (const status of new Set(cancelled.map(({ previous_status }) => previous_status))) {
    const ids = cancelled.filter(({ previous_status }) => previous_status === status)
    reopened.push(
      ...(await reopenBookings(
        ids.map(({ id }) => id),
        status,
      )),
    )
  }
  return reopened
}

/** In the words of the button that was pressed. */
function whatStands({ status, held_until }: Booking): string {
  if (status === 'cancelled') return 'Appointment Reopened'
  return held_until === null ? 'Appointment Confirmed' : 'Appointment Kept'
}

function sayReopened(reopened: number, wanted: number): void {
  if (reopened === wanted) {
    return toast({ title: wanted === 1 ? 'Appointment Reopened' : 'Appointments Reopened' })
  }
  const description =
    wanted === 1
      ? 'Somebody else has this time now. The appointment stays as it was.'
      : `${reopened} of ${wanted} stand again. The others’ times are taken now; they stay cancelled.`
  toast({ title: 'Time Taken', description, variant: 'destructive' })
}

function failed(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' })
}
