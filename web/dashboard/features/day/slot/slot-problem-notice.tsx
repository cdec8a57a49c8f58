import { useEffect, useRef } from 'react'
import type { ShopDay } from '#contracts/bookings/day.ts'
import type { FreeTime } from '#contracts/bookings/phone-bookings.ts'
import { shortDayName } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatLength } from '#domain/text/span-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { SlotProblem } from './slot-problem.ts'
import './slot-problem-notice.css'

type Props = {
  slotProblem: SlotProblem
  minutes: number
  freeTimes: readonly FreeTime[]
  bays: ShopDay['bays']
  /** The label of the button that books despite the problem; undefined when staff must choose another time. */
  anyway: string | undefined
  /**
   * The number of times that the user pressed Save although the slot has a problem. Each press moves the focus to the
   * notice.
   */
  promptCount: number
  onSelect: (time: FreeTime) => void
  onBookAnyway: () => void
}

/** Explains why staff cannot book a slot. Offers the next free times, or a button that books despite the problem. */
export function SlotProblemNotice(props: Props) {
  const { slotProblem, minutes, freeTimes, bays, anyway, promptCount, onSelect, onBookAnyway } =
    props
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (promptCount > 0) element.current?.focus()
  }, [promptCount])
  // On a phone the panel scrolls, so the notice can be outside the visible part of the panel.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="notice notice-warn fit-notice" ref={element} tabIndex={-1}>
      <Icon name="alert" />
      <div>
        <b>{slotProblem.title}</b>
        <p>{slotProblem.why}</p>
        {freeTimes.length > 0 && <b className="fit-next">Next free for {formatLength(minutes)}</b>}
        <div className="fit-times">
          {freeTimes.map((time) => (
            <Button compact key={`${time.date} ${time.time}`} onClick={() => onSelect(time)}>
              {formatTime(time.time)}
              <small>
                {shortDayName(time.date)}, {bays.find(({ id }) => id === time.bay_ids[0])?.name}
              </small>
            </Button>
          ))}
        </div>
        {anyway && (
          <Button compact level="quiet" onClick={onBookAnyway}>
            {anyway}
          </Button>
        )}
      </div>
    </div>
  )
}
