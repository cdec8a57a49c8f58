import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

/** The panel of a booking: `booking` in the address names its booking, `move` and `edit` open those panels of it. */
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
    /** Closes the panel that moves or edits, back to the panel of the booking. */
    closeStep: () => panel.close('move', 'edit'),
  }
}
