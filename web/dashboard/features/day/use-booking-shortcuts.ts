import type { ShopDay } from '#contracts/bookings/day.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { openStates } from './open-states.ts'

type Options = {
  readonly day: ShopDay | undefined
  /**
   * The id of the booking whose panel is open. The shortcuts act on this booking, unless another booking has the focus.
   */
  readonly chosenId: string | undefined
  /** Whether the shortcuts are off, for example because the move panel or the edit panel is open. */
  readonly isBusy: boolean
  readonly onMove: (bookingId: string) => void
  readonly onEdit: (bookingId: string) => void
}

/**
 * Opens the move panel with M and the edit panel with E. Inside the grid, M starts a drag by keyboard instead
 * (drag/use-drag.ts).
 */
export function useBookingShortcuts({ day, chosenId, isBusy, onMove, onEdit }: Options): void {
  const open = (openPanel: (bookingId: string) => void) => {
    if (isBusy) return
    const id = focusedBookingId() ?? chosenId
    const booking = day?.bookings.find((each) => each.id === id)
    if (booking && openStates.has(booking.state)) openPanel(booking.id)
  }
  useShortcut('m', () => {
    if (!document.activeElement?.closest('.day-grid')) open(onMove)
  })
  useShortcut('e', () => open(onEdit))
}

const focusedBookingId = () => document.activeElement?.getAttribute('data-stop') ?? undefined
