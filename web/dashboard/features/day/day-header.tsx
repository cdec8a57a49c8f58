import type { ReactNode } from 'react'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { shortDayTitle } from './board/booking-block-text.ts'

type Props = {
  date: string
  /** The number of bookings on the shown date; undefined while the bookings load. */
  count: number | undefined
  viewSwitch: ReactNode
  onStep: (days: -1 | 1) => void
  onToday: () => void
}

/** The header of the day view: the date, the buttons for other dates, and the switch between views. */
export function DayHeader({ date, count, viewSwitch, onStep, onToday }: Props) {
  return (
    <div className="toolbar day-tools">
      <h2>
        <span className="day-wide">
          Appointments <span>({count ?? '…'})</span>
        </span>
        <span className="day-narrow">{shortDayTitle(date)}</span>
      </h2>
      <div className="day-navigation">
        <StepButton label="Previous day" icon="chevron-left" onClick={() => onStep(-1)} />
        <Button compact aria-keyshortcuts="t" onClick={onToday}>
          Today
        </Button>
        <StepButton label="Next day" icon="chevron-right" onClick={() => onStep(1)} />
        <b className="day-wide" aria-live="polite">
          {formatDayOfYear(date)}
        </b>
        <Button compact level="quiet" className="day-wide day-print" onClick={() => window.print()}>
          Print day
        </Button>
      </div>
      {viewSwitch}
    </div>
  )
}

function StepButton(props: {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  onClick: () => void
}) {
  return (
    <Button compact square aria-label={props.label} onClick={props.onClick}>
      <Icon name={props.icon} />
    </Button>
  )
}
