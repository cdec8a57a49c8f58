import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/** The panel of a booking: `booking` in the address names its booking, and `move` opens the move panel of it. */
export function useBookingAddress() {
  const panel = usePanel()
  const { booking: chosenId, move } = panel.shown
  return {
    chosenId,
    isMoving: chosenId !== undefined && move !== undefined,
    choose: (id: string | undefined) => {
      if (id === undefined) {
        if (chosenId !== undefined) panel.close('booking', 'move')
      } else if (chosenId === undefined) panel.open({ booking: id })
      else if (id !== chosenId || move) panel.replace({ booking: id, move: undefined })
    },
    openMove: (id: string) =>
      move ? panel.replace({ booking: id }) : panel.open({ booking: id, move: 'open' }),
    closeMove: () => panel.close('move'),
  }
}
