import { useState } from 'react'
import { dayNames } from '#domain/calendar/calendar-date.ts'
import type { Weekday } from '#domain/calendar/opening-hours.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { weekdays } from './hours-row.ts'

type Props = {
  day: Weekday
  onCopy: (days: readonly Weekday[]) => void
  onClose: () => void
}

/**
 * The dialog in which the user chooses the days that get the same hours as `day`. The dialog copies the hours into the
 * form and does not save them.
 */
export function CopyHoursDialog({ day, onCopy, onClose }: Props) {
  const [chosen, setChosen] = useState<readonly Weekday[]>([])
  const others = weekdays.filter((other) => other !== day)
  const toggle = (other: Weekday) =>
    setChosen(chosen.includes(other) ? chosen.filter((one) => one !== other) : [...chosen, other])
  return (
    <Dialog
      open
      size="small"
      title={`Copy ${dayNames[day]} to`}
      onClose={onClose}
      footer={
        <>
          <Button level="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            level="primary"
            disabled={chosen.length === 0}
            onClick={() => {
              onCopy(chosen)
              onClose()
            }}
          >
            Copy
          </Button>
        </>
      }
    >
      {others.map((other) => (
        <label key={other} className="checkbox">
          <input type="checkbox" checked={chosen.includes(other)} onChange={() => toggle(other)} />
          {dayNames[other]}
        </label>
      ))}
    </Dialog>
  )
}
