import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/**
 * The URL stores which booking panel is open: `booking` is the id of the booking; if `move` or `edit` is set, the panel
 * in which staff move or edit the booking is open.
 */
export function useBookingAddress() {
  const panel = usePanel()
  const { booking: chosenId, move, edit } = panel.shown
  return {
    chosenId,
    isMoving: chosenId !== undefined && move !== undefined,
    isEditing: chosenId !== undefined && edit !== undefined,
    choose: (id: string | undefined) => {
      if (id === undefined) {
        if (chosenId !== undefined) panel.close('booking', 'move', 'edit')
      } else if (chosenId === undefined) panel.open({ booking: id })
      else if (id !== chosenId || move || edit) {
        panel.replace({ booking: id, move: undefined, edit: undefined })
      }
    },
    openMove: (id: string) =>
      move
        ? panel.replace({ booking: id })
        : panel.open({ booking: id, move: 'open', edit: undefined }),
    openEdit: (id: string) => panel.open({ booking: id, edit: 'open', move: undefined }),
    /**
     * Closes the panel that moves or edits the booking, so that the panel with the booking's details is shown again.
     */
    closeStep: () => panel.close('move', 'edit'),
  }
}
