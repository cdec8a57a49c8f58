import { type CSSProperties, useEffect, useRef } from 'react'
import { loadText } from '#domain/bookings/bay-load.ts'
import { formatMinute } from '#domain/calendar/clock-time.ts'
import type { MinuteSpan } from '#domain/calendar/day-spans.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { shortTime } from '#domain/text/span-text.ts'
import { occupiesBay } from '#domain/bookings/occupies-bay.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { BayLoad } from './bay-load.tsx'
import { BookingBlock } from './booking-block.tsx'
import { ClosedLabel } from './closed-label.tsx'
import { FreeSlotButton } from './free-slot-button.tsx'
import { BlockedColumns, DragLayer } from '../drag/drag-layer.tsx'
import type { UnsavedPlace } from './unsaved-place.ts'
import {
  type SelectionState,
  type ClosedBlock,
  type DayLayout,
  type DayColumn,
} from './day-layout.ts'
import { type Drag, useDrag } from '../drag/use-drag.ts'
import { formatSpan } from './booking-block-text.ts'

type Props = {
  plan: DayLayout
  hours: OpeningHours
  selection: SelectionState
  dragHandlers: Drag
  /** The date, time and bay that the open panel proposes and has not saved yet. */
  unsavedPlace: UnsavedPlace | undefined
}

const rowMinutes = 30
/** Half the height of the label with the current time, converted to minutes of the grid. */
const labelMinutes = 10

/** The day as a grid: one column per bay, one row per half hour. */
export function BayGrid({ plan, hours, selection, dragHandlers, unsavedPlace }: Props) {
  const body = useRef<HTMLDivElement>(null)
  const drag = useDrag(body, { plan, hours, dragHandlers })
  const bays = plan.columns.length - 1
  const rows = (hours.closesAtMinute - hours.opensAtMinute) / rowMinutes
  return (
    <div className="day-grid" style={{ '--bays': bays, '--rows': rows } as CSSProperties}>
      <div className="day-grid-head">
        <span />
        {plan.columns.map((column) => (
          <ColumnHead key={column.name} column={column} hours={hours} />
        ))}
      </div>
      <div
        className="day-grid-body"
        role="presentation"
        ref={body}
        onPointerDown={drag.onPointerDown}
      >
        <Times hours={hours} />
        <BlockedColumns store={drag.store} columns={plan.columns} />
        {plan.closed.map((span) => (
          <ClosedPart key={span.startsAtMinute} span={span} hours={hours} />
        ))}
        {plan.columns.map((column) => (
          <ColumnBody
            key={column.name}
            column={column}
            hours={hours}
            selection={selection}
            unsavedPlace={
              unsavedPlace && isDrawnIn(column, unsavedPlace) ? unsavedPlace : undefined
            }
          />
        ))}
        <NowLine minute={plan.nowMinute} hours={hours} />
        <DragLayer store={drag.store} plan={plan} hours={hours} />
      </div>
    </div>
  )
}

function ColumnHead({ column, hours }: { column: DayColumn; hours: OpeningHours }) {
  const waiting = column.blocks.filter(({ booking }) => occupiesBay(booking.state)).length
  if (column.bayId === null) {
    return (
      <div className="day-bay-column-head day-bay-column-unplaced">
        <h3>{column.name}</h3>
        {waiting > 0 && <Badge tone="warn">{waiting} to place</Badge>}
      </div>
    )
  }
  return (
    <div className="day-bay-column-head">
      <h3>
        {column.name} {column.technician && <small>{column.technician}</small>}
      </h3>
      <BayLoad column={column} hours={hours} />
      <p className="visually-hidden">{loadText(column.load)}</p>
    </div>
  )
}

function Times({ hours }: { hours: OpeningHours }) {
  const first = Math.ceil(hours.opensAtMinute / 60)
  const count = Math.ceil(hours.closesAtMinute / 60) - first
  return (
    <div className="day-times" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (first + index) * 60).map((minute) => (
        <span key={minute} style={at({ startsAtMinute: minute, endsAtMinute: minute }, hours)}>
          {shortTime(minute)}
        </span>
      ))}
    </div>
  )
}

/**
 * Whether the column of a bay draws the slot that the open panel proposes. Until the database has reported a conflict,
 * a slot that overlaps a booking is not drawn, because the slot would cover the booking.
 */
function isDrawnIn({ bayId, blocks }: DayColumn, place: UnsavedPlace): boolean {
  if (place.bayId === undefined ? bayId === null : bayId !== place.bayId) return false
  if (place.isConflict) return true
  return !blocks.some(
    (block) =>
      occupiesBay(block.booking.state) &&
      block.startsAtMinute < place.endsAtMinute &&
      block.endsAtMinute > place.startsAtMinute,
  )
}

function ColumnBody(props: {
  column: DayColumn
  hours: OpeningHours
  selection: SelectionState
  unsavedPlace: UnsavedPlace | undefined
}) {
  const { column, hours, selection, unsavedPlace } = props
  return (
    <ul
      className={
        column.bayId === null ? 'day-bay-column day-bay-column-unplaced' : 'day-bay-column'
      }
      aria-label={column.name}
      data-column
    >
      {column.closed.map((span) => (
        <li key={`closed ${span.startsAtMinute}`} className="day-closed" style={at(span, hours)}>
          <ClosedLabel closed={span} />
        </li>
      ))}
      {inOrder(column).map(({ block, freeSlot }) =>
        block ? (
          <li
            key={block.booking.id}
            className="day-booking-place"
            style={
              {
                ...at(block, hours),
                '--column': block.subcolumn,
                '--columns': block.subcolumns,
              } as CSSProperties
            }
          >
            <BookingBlock block={block} isNarrow={column.bayId === null} selection={selection} />
          </li>
        ) : (
          <li
            key={`gap ${freeSlot.startsAtMinute}`}
            className="day-free-slot-place"
            style={at(freeSlot, hours)}
          >
            <FreeSlotButton
              freeSlot={freeSlot}
              onBook={(minute) => selection.onBook(minute, column.bayId ?? '')}
            />
          </li>
        ),
      )}
      {unsavedPlace &&
        (unsavedPlace.isConflict ? (
          <ConflictMark key={JSON.stringify(unsavedPlace)} place={unsavedPlace} hours={hours} />
        ) : (
          <li className="day-new-place" style={at(unsavedPlace, hours)} aria-hidden="true">
            <NewBookingBlock place={unsavedPlace} />
          </li>
        ))}
    </ul>
  )
}

/** The bookings and free slots of a column, sorted by time. The arrow keys move the focus in this order. */
function inOrder({ blocks, freeSlots }: DayColumn) {
  const parts = [
    ...blocks.map((block) => ({ at: block.startsAtMinute, block, freeSlot: undefined })),
    ...freeSlots.map((freeSlot) => ({ at: freeSlot.startsAtMinute, block: undefined, freeSlot })),
  ]
  return parts.toSorted((a, b) => a.at - b.at)
}

function ClosedPart({ span, hours }: { span: ClosedBlock; hours: OpeningHours }) {
  return (
    <p className="day-closed day-closed-shop" style={at(span, hours)}>
      <ClosedLabel closed={span} />
    </p>
  )
}

function NowLine({ minute, hours }: { minute: number | undefined; hours: OpeningHours }) {
  if (minute === undefined) return null
  if (minute < hours.opensAtMinute || minute > hours.closesAtMinute) return null
  return (
    <p
      className={nowClass(minute, hours)}
      style={at({ startsAtMinute: minute, endsAtMinute: minute }, hours)}
    >
      <b>{formatMinute(minute)}</b>
    </p>
  )
}

/**
 * Returns the CSS class for the label of the current time. The label is centered on the line that marks the current
 * time. Near the top or bottom edge of the grid, which would cut off the label, the label is below or above the line.
 */
function nowClass(minute: number, { opensAtMinute, closesAtMinute }: OpeningHours): string {
  if (minute - opensAtMinute < labelMinutes) return 'day-now day-now-below'
  return closesAtMinute - minute < labelMinutes ? 'day-now day-now-above' : 'day-now'
}

/**
 * Returns the CSS properties that place a time span in the grid: the start and the length of the span, counted in rows
 * of half an hour.
 */
function at({ startsAtMinute, endsAtMinute }: MinuteSpan, hours: OpeningHours): CSSProperties {
  return {
    '--start': (startsAtMinute - hours.opensAtMinute) / rowMinutes,
    '--length': (endsAtMinute - startsAtMinute) / rowMinutes,
  } as CSSProperties
}

/**
 * '1:00 – 2:00 PM New booking': a preview of the booking in the open panel. The preview is hidden from screen
 * readers, because the panel itself states the time.
 */
function NewBookingBlock({ place }: { place: UnsavedPlace }) {
  return (
    <div className="day-new">
      <b>{formatSpan(place)}</b>
      <span>New booking</span>
    </div>
  )
}

/**
 * Marks a proposed slot that conflicts with bookings, without hiding the bookings. The page scrolls to the marked slot.
 * Screen readers skip the mark, because the panel itself states the conflict.
 */
function ConflictMark({ place, hours }: { place: UnsavedPlace; hours: OpeningHours }) {
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const inside = {
    startsAtMinute: Math.max(place.startsAtMinute, hours.opensAtMinute),
    endsAtMinute: Math.min(place.endsAtMinute, hours.closesAtMinute),
  }
  if (inside.startsAtMinute >= inside.endsAtMinute) return null
  return <li ref={element} className="day-conflict" style={at(inside, hours)} aria-hidden="true" />
}
