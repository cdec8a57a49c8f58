import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import type { DayBooking } from '#contracts/day.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { toast } from '#web/ui/toast.ts'
import { changeState } from './day-api.ts'
import { dayTitle, timeOf } from './car-words.ts'
import { refusalWords } from './refusal-words.ts'

type Change = {
  readonly booking: DayBooking
  readonly state: string
  readonly reason?: string
  readonly isUndo?: boolean
}

export type StateChange = {
  /** Resolves to whether it was changed; says so, or why not, and offers the way back. */
  readonly change: (booking: DayBooking, state: string, reason?: string) => Promise<boolean>
  readonly isBusy: boolean
}

const said: Readonly<Record<string, string>> = {
  arrived: 'Arrived',
  in_work: 'In work',
  completed: 'Appointment Completed',
  cancelled: 'Cancelled',
  no_show: 'No-show',
}

/** Steps of an appointment from state to state, each with its words and its undo. */
export function useStateChange(): StateChange {
  const queries = useQueryClient()
  const changing: UseMutationResult<number, Error, Change> = useMutation({
    mutationFn: ({ booking, state, reason }: Change) => changeState(booking, state, reason),
    onSuccess: (version, done) => sayChanged(done, version, (back) => changing.mutate(back)),
    onError: (error) => toast(refusalWords(error)),
    onSettled: () => readAgain(queries, 'bookings'),
  })
  return {
    change: (booking, state, reason) =>
      changing.mutateAsync({ booking, state, ...(reason ? { reason } : {}) }).then(
        () => true,
        () => false,
      ),
    isBusy: changing.isPending,
  }
}

function sayChanged(done: Change, version: number, take: (change: Change) => void): void {
  const { booking, state, isUndo } = done
  const word = isUndo ? 'Undone' : said[state]
  const undo = () => take({ booking: { ...booking, version }, state: booking.state, isUndo: true })
  toast({
    title: word ?? 'Appointment Reopened',
    description: `${booking.customer_name}, ${dayTitle(booking.starts_at.slice(0, 10))}, ${timeOf(booking.starts_at)}.`,
    ...(word && !isUndo ? { action: { label: 'Undo', run: undo } } : {}),
  })
}
