import { type CSSProperties, useEffect, useRef, useSyncExternalStore } from 'react'
import { formatMinute, timeOfMinute } from '#domain/clock-time.ts'
import type { OpeningHours } from '#domain/opening-hours.ts'
import { addMinutes } from '#domain/shop-moment.ts'
import { formatBookingTimes } from './car-words.ts'
import type { DragState, DragStore } from './lift-store.ts'
import type { DropTarget } from './lift-spot.ts'
import type { DayLayout, DayColumn } from './plan-day.ts'
import './lift.css'

type Props = { store: DragStore; plan: DayLayout; hours: OpeningHours }

/** Over the grid: where a car was, where it would be, and what is said about it. */
export function DragLayer({ store, plan, hours }: Props) {
  const lift = useSyncExternalStore(store.subscribe, store.current)
  return (
    <>
      {lift && (
        <div className="lift-layer" aria-hidden="true">
          <Marks lift={lift} lanes={plan.lanes} hours={hours} />
        </div>
      )}
      <p className="lift-strip" role="status">
        {lift && <Words lift={lift} lanes={plan.lanes} />}
      </p>
    </>
  )
}

/** Under the cars: the bays that do not do the service of the car that is moved. */
export function LiftCannot({ store, lanes }: { store: DragStore; lanes: readonly DayColumn[] }) {
  const booking = useSyncExternalStore(store.subscribe, store.current)?.block.booking
  if (!booking) return null
  return lanes.map((lane, nth) =>
    canDo(lane, booking.service_id) ? null : (
      <p
        key={lane.name}
        className="lift-cannot"
        style={laneStyle(nth, lanes.length - 1)}
        aria-hidden="true"
      >
        <span>Can’t do {booking.service_name}</span>
      </p>
    ),
  )
}

const rowMinutes = 30

function Marks({
  lift,
  lanes,
  hours,
}: {
  lift: DragState
  lanes: readonly DayColumn[]
  hours: OpeningHours
}) {
  const { block, from, to, by } = lift
  const { booking } = block
  const minutes = block.endsAtMinute - block.startsAtMinute
  const target = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (by === 'keys') target.current?.scrollIntoView({ block: 'nearest' })
  }, [by, to])
  const place = (spot: DropTarget): CSSProperties =>
    ({
      ...laneStyle(spot.lane, lanes.length - 1),
      '--start': (spot.startsAtMinute - hours.opensAtMinute) / rowMinutes,
      '--length': Math.min(minutes, hours.closesAtMinute - spot.startsAtMinute) / rowMinutes,
    }) as CSSProperties
  const old = { '--column': block.column, '--columns': block.columns } as CSSProperties
  return (
    <>
      <div className="lift-place" style={place(from)}>
        <div className="lift-from" style={old}>
          <b>{formatMinute(from.startsAtMinute)}</b> {booking.customer_name}
        </div>
      </div>
      <div ref={target} className="lift-place" style={place(to)}>
        <div className="lift-to">
          <b>{newTimes(lift)}</b>
          <span>{by === 'saving' ? 'Moving…' : lanes[to.lane]?.name}</span>
        </div>
      </div>
      {by === 'pointer' && (
        <div className="lift-card">
          <b>{formatMinute(from.startsAtMinute)}</b>
          <strong>{booking.customer_name}</strong>
        </div>
      )}
    </>
  )
}

function Words({ lift, lanes }: { lift: DragState; lanes: readonly DayColumn[] }) {
  const { block, from, to, by } = lift
  const words = ({ lane, startsAtMinute }: DropTarget) =>
    `${formatMinute(startsAtMinute)}, ${nameOf(lanes[lane])}`
  return (
    <>
      <b>
        {block.booking.customer_name} to {words(to)}
      </b>{' '}
      <span>was {words(from)}</span>{' '}
      {by === 'saving' ? (
        <span>Moving…</span>
      ) : (
        <span>
          {by === 'keys' && 'Arrow keys move it, Enter drops it, '}
          <kbd>Esc</kbd> cancels
        </span>
      )}
    </>
  )
}

/** '4:30 – 5:00 PM' */
function newTimes({ block: { booking }, to }: DragState): string {
  const startsAt = `${booking.starts_at.slice(0, 10)}T${timeOfMinute(to.startsAtMinute)}`
  return formatBookingTimes({ starts_at: startsAt, ends_at: addMinutes(startsAt, booking.minutes) })
}

const nameOf = (lane: DayColumn | undefined) => (lane?.bayId ? lane.name : 'no bay')

const canDo = ({ serviceIds }: DayColumn, serviceId: string) =>
  serviceIds?.includes(serviceId) ?? true

/** The column of a lane: bays share what the times and the last lane leave. */
function laneStyle(nth: number, bays: number): CSSProperties {
  if (nth === bays) return { left: 'calc(100% - var(--unplaced-width))', right: 0 }
  const width = '(100% - var(--time-width) - var(--unplaced-width)) / var(--bays)'
  return { left: `calc(var(--time-width) + ${nth} * ${width})`, width: `calc(${width})` }
}
