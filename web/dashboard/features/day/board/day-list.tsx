import { useState } from 'react'
import { formatMinute } from '#domain/calendar/clock-time.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { shortTimes } from '#domain/text/span-text.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { StateBadge } from '#web/dashboard/kit/bookings/state-badge.tsx'
import { BadgeLine } from './booking-block.tsx'
import { BayFilter } from './bay-filter.tsx'
import { ClosedLabel } from './closed-label.tsx'
import { appearanceOf, formatNote } from './booking-block-text.ts'
import { FreeSlotButton } from './free-slot-button.tsx'
import { type DayListItem, listDayItems } from './day-list-items.ts'
import type { DayBlock, SelectionState, DayLayout } from './day-layout.ts'
import './board.css'

type Props = { plan: DayLayout; hours: OpeningHours; selection: SelectionState }

/** The day view on a phone: the bookings of all bays in one list, in order of time. */
export function DayList({ plan, hours, selection }: Props) {
  const [only, setOnly] = useState<string | null>()
  const { lines, over } = listDayItems(plan, only)
  return (
    <>
      <BayFilter plan={plan} hours={hours} chosen={only} onChoose={setOnly} />
      {over.length > 0 && <Over lines={over} selection={selection} />}
      <ol className="day-list" aria-label="Appointments" data-column>
        {lines.map((line) => (
          <Line key={keyOf(line)} line={line} selection={selection} />
        ))}
      </ol>
    </>
  )
}

function keyOf(line: DayListItem): string {
  if (line.kind === 'block') return line.block.booking.id
  if (line.kind === 'freeSlot') return `gap ${line.minute} ${line.column.bayId}`
  return `${line.kind} ${line.minute} ${line.kind === 'closed' ? line.bay : ''}`
}

function Over(props: {
  lines: readonly (DayListItem & { kind: 'block' })[]
  selection: SelectionState
}) {
  const { lines, selection } = props
  const blocks = lines.map(({ block }) => block)
  const missed = blocks.filter(({ booking }) => booking.state === 'no_show').length
  const done = blocks.length - missed
  const span = {
    startsAtMinute: Math.min(...blocks.map(({ startsAtMinute }) => startsAtMinute)),
    endsAtMinute: Math.max(...blocks.map(({ endsAtMinute }) => endsAtMinute)),
  }
  const counts = [
    done > 0 && `${done} done`,
    missed > 0 && `${missed} no-show${missed > 1 ? 's' : ''}`,
  ]
  return (
    <details className="day-over">
      <summary>
        {shortTimes(span)} <b>{counts.filter(Boolean).join(', ')}</b>
      </summary>
      <ol className="day-list" aria-label="Over">
        {lines.map((line) => (
          <Line key={keyOf(line)} line={line} selection={selection} />
        ))}
      </ol>
    </details>
  )
}

function Line({ line, selection }: { line: DayListItem; selection: SelectionState }) {
  switch (line.kind) {
    case 'now':
      return (
        <li className="day-list-now">
          <b>{formatMinute(line.minute)}</b>
        </li>
      )
    case 'closed':
      return (
        <li>
          <LineTime minute={line.minute} />
          <div className="day-list-closed">
            <ClosedLabel closed={line.closed} />
            {line.bay && <small>{line.bay}</small>}
          </div>
        </li>
      )
    case 'freeSlot':
      return (
        <li className="day-list-free-slot">
          <FreeSlotButton
            freeSlot={line.freeSlot}
            bay={line.column.name}
            onBook={(minute) => selection.onBook(minute, line.column.bayId ?? '')}
          />
        </li>
      )
    case 'block':
      return (
        <li>
          <LineTime minute={line.minute} />
          <BookingCard block={line.block} bay={line.bay} selection={selection} />
        </li>
      )
  }
}

/** Shows '1:00 PM' on two lines: '1:00' above 'PM'. */
function LineTime({ minute }: { minute: number }) {
  const [time, half] = formatMinute(minute).split(' ')
  return (
    <span className="day-list-time">
      <b>{time}</b> {half}
    </span>
  )
}

function BookingCard(props: { block: DayBlock; bay: string; selection: SelectionState }) {
  const { bay, selection } = props
  const { booking } = props.block
  const note = formatNote(booking)
  return (
    <button
      type="button"
      className={`day-card ${appearanceOf(booking)}`}
      data-stop={booking.id}
      aria-expanded={selection.chosenId === booking.id}
      onClick={() => selection.onChoose(booking.id)}
    >
      <span className="day-card-head">
        <strong>{booking.customer_name}</strong>
        <StateBadge booking={booking} />
      </span>
      <span className="day-card-vehicle">
        {vehicleName(booking)}
        <b className={booking.bay_id === null ? 'day-unplaced' : undefined}>{bay}</b>
      </span>
      <span>{booking.service_name}</span>
      <BadgeLine block={props.block} />
      {note && <span className="day-card-note">{note}</span>}
    </button>
  )
}
