import { type CSSProperties, useEffect, useRef, useSyncExternalStore } from 'react'
import { formatMinute, timeOfMinute } from '#domain/calendar/clock-time.ts'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { addMinutes } from '#domain/calendar/shop-date-time.ts'
import { formatBookingTimes } from '../board/booking-block-text.ts'
import type { DragState, DragStore } from './drag-store.ts'
import type { DropTarget } from './drop-target.ts'
import type { DayLayout, DayColumn } from '../board/day-layout.ts'
import './drag.css'

type Props = { store: DragStore; plan: DayLayout; hours: OpeningHours }

/**
 * The layer above the grid during a drag. The layer shows the original position of the dragged booking, the drop
 * target, and a banner that describes the move.
 */
export function DragLayer({ store, plan, hours }: Props) {
  const drag = useSyncExternalStore(store.subscribe, store.current)
  return (
    <>
      {drag && (
        <div className="drag-layer" aria-hidden="true">
          <DragMarkers drag={drag} columns={plan.columns} hours={hours} />
        </div>
      )}
      <p className="drag-banner" role="status">
        {drag && <DragText drag={drag} columns={plan.columns} />}
      </p>
    </>
  )
}

/** Marks the bays that do not offer the service of the dragged booking. The blocks of the bookings cover the marks. */
export function BlockedColumns({
  store,
  columns,
}: {
  store: DragStore
  columns: readonly DayColumn[]
}) {
  const booking = useSyncExternalStore(store.subscribe, store.current)?.block.booking
  if (!booking) return null
  return columns.map((column, nth) =>
    canDo(column, booking.service_id) ? null : (
      <p
        key={column.name}
        className="drag-cannot"
        style={columnStyle(nth, columns.length - 1)}
        aria-hidden="true"
      >
        <span>Can’t do {booking.service_name}</span>
      </p>
    ),
  )
}

const rowMinutes = 30

function DragMarkers({
  drag,
  columns,
  hours,
}: {
  drag: DragState
  columns: readonly DayColumn[]
  hours: OpeningHours
}) {
  const { block, from, to, by } = drag
  const { booking } = block
  const minutes = block.endsAtMinute - block.startsAtMinute
  const target = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (by === 'keys') target.current?.scrollIntoView({ block: 'nearest' })
  }, [by, to])
  const targetStyle = (dropTarget: DropTarget): CSSProperties =>
    ({
      ...columnStyle(dropTarget.column, columns.length - 1),
      '--start': (dropTarget.startsAtMinute - hours.opensAtMinute) / rowMinutes,
      '--length': Math.min(minutes, hours.closesAtMinute - dropTarget.startsAtMinute) / rowMinutes,
    }) as CSSProperties
  const old = { '--column': block.subcolumn, '--columns': block.subcolumns } as CSSProperties
  return (
    <>
      <div className="drag-place" style={targetStyle(from)}>
        <div className="drag-from" style={old}>
          <b>{formatMinute(from.startsAtMinute)}</b> {booking.customer_name}
        </div>
      </div>
      <div ref={target} className="drag-place" style={targetStyle(to)}>
        <div className="drag-to">
          <b>{newTimes(drag)}</b>
          <span>{by === 'saving' ? 'Moving…' : columns[to.column]?.name}</span>
        </div>
      </div>
      {by === 'pointer' && (
        <div className="drag-card">
          <b>{formatMinute(from.startsAtMinute)}</b>
          <strong>{booking.customer_name}</strong>
        </div>
      )}
    </>
  )
}

function DragText({ drag, columns }: { drag: DragState; columns: readonly DayColumn[] }) {
  const { block, from, to, by } = drag
  const positionText = ({ column, startsAtMinute }: DropTarget) =>
    `${formatMinute(startsAtMinute)}, ${nameOf(columns[column])}`
  return (
    <>
      <b>
        {block.booking.customer_name} to {positionText(to)}
      </b>{' '}
      <span>was {positionText(from)}</span>{' '}
      {by === 'saving' ? (
        <span>Moving…</span>
      ) : (
        <span>
          {by === 'keys' && 'Arrow keys move the appointment, Enter drops it, '}
          <kbd>Esc</kbd> cancels
        </span>
      )}
    </>
  )
}

/** Start and end of the booking at its drop target: '4:30 – 5:00 PM'. */
function newTimes({ block: { booking }, to }: DragState): string {
  const startsAt = `${booking.starts_at.slice(0, 10)}T${timeOfMinute(to.startsAtMinute)}`
  return formatBookingTimes({ starts_at: startsAt, ends_at: addMinutes(startsAt, booking.minutes) })
}

const nameOf = (column: DayColumn | undefined) => (column?.bayId ? column.name : 'no bay')

const canDo = ({ serviceIds }: DayColumn, serviceId: string) =>
  serviceIds?.includes(serviceId) ?? true

/**
 * Returns the left edge and the width of a column as CSS. The columns of the bays share the width that remains beside
 * the column of times and the column 'No bay'.
 */
function columnStyle(nth: number, bays: number): CSSProperties {
  if (nth === bays) return { left: 'calc(100% - var(--unplaced-width))', right: 0 }
  const width = '(100% - var(--time-width) - var(--unplaced-width)) / var(--bays)'
  return { left: `calc(var(--time-width) + ${nth} * ${width})`, width: `calc(${width})` }
}
