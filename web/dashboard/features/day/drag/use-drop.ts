import { useQueryClient } from '@tanstack/react-query'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { readDay } from '../day-api.ts'
import { type MoveTarget, moveTargetOf } from '../move/move-api.ts'
import { noBay } from '../phone-booking/phone-bookings-api.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { useMove } from '../move/use-move.ts'
import { checkSlotNow } from '../slot/use-proposed-slot.ts'

type Options = {
  readonly day: ShopDay | undefined
  /**
   * Opens the move panel with the drop target when the user has to decide: the slot is occupied or outside the opening
   * hours, or the booking would have no bay.
   */
  readonly onDecide: (bookingId: string, slot: MoveTarget, wasTaken: boolean) => void
}

const slotTakenCode = '23P01'

/**
 * Returns a function that saves the new time and bay of a dropped booking, unless there is a conflict. The function
 * resolves to true if the booking was moved.
 */
export function useDrop({ day, onDecide }: Options) {
  const queries = useQueryClient()
  const { move } = useMove()
  async function needsDecision(booking: DayBooking, { date, time, minutes, bayId }: MoveTarget) {
    if (bayId === noBay && booking.bay_id !== null) return true
    const slot = { serviceId: booking.service_id, date, time, bayId }
    const check = await checkSlotNow(queries, slot, booking.id, minutes)
    return check?.refusal != null || check?.warnings.includes('outside_hours') === true
  }
  // Reads the day again, so that the booking is at its new position before the drag ends. The refetch that `move`
  // awaited may be cancelled, because the live event about the move starts another refetch.
  async function show(date: string) {
    const fresh = await readDay(date).catch(() => undefined)
    if (fresh) queries.setQueryData(['bookings', 'day', date], fresh)
  }
  return async (booking: DayBooking, time: string, bayId: string | null): Promise<boolean> => {
    const slot = { ...moveTargetOf(booking), time, bayId: bayId ?? noBay }
    try {
      if (await needsDecision(booking, slot)) {
        onDecide(booking.id, slot, false)
        return false
      }
      await move({ booking, slot, bays: day?.bays ?? [], notifies: false })
      await show(slot.date)
      return true
    } catch (error) {
      const isTaken = error instanceof DataError && error.code === slotTakenCode
      if (isTaken) onDecide(booking.id, slot, true)
      else toast(bookingErrorToast(error, `Could not move ${booking.customer_name}`))
      return false
    }
  }
}
