import type { DayBooking } from '#contracts/bookings/day.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextArea } from '#web/ui/field/field.tsx'
import { useInternalNote } from './use-internal-note.ts'

/** The internal note of a booking, which staff edit in place. */
export function InternalNote({ booking, isOffline }: { booking: DayBooking; isOffline: boolean }) {
  const note = useInternalNote(booking)
  return (
    <div className="panel-note">
      <TextArea
        label="Internal note"
        hint="Customers never see it."
        rows={2}
        maxLength={500}
        value={note.text}
        error={note.error}
        onChange={({ target }) => note.type(target.value)}
        onBlur={() => !isOffline && note.saveOnLeave()}
      />
      {note.isChanged && (
        <Button compact busy={note.isBusy && 'Saving…'} disabled={isOffline} onClick={note.save}>
          Save note
        </Button>
      )}
    </div>
  )
}
