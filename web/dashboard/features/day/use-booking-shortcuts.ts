import type { ShopDay } from '#contracts/bookings/day.ts'
import { useShortcut } from '#web/dashboard/kit/navigation/shortcuts.ts'
import { openStates } from './open-states.ts'

type Options = {
  readonly day: ShopDay | undefined
  /** The booking with the open panel, unless a booking on the page has the focus. */
  readonly chosenId: string | undefined
  /** True while the shortcuts would disturb another step, for example an open move or edit panel. */
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
