import type { ShopDay } from '#contracts/bookings/day.ts'
import { formatTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import {
  type BookableService,
  noBay,
  type ProposedSlot,
} from '../phone-booking/phone-bookings-api.ts'
import { doesNotFit, type SlotProblem } from './slot-problem.ts'
import './slot-fields.css'

type Props = {
  slot: ProposedSlot
  services: readonly BookableService[]
  day: ShopDay | undefined
  /**
   * The problem with the service, date, time or bay that staff selected. If set, the field that causes the problem is
   * marked as invalid.
   */
  slotProblem: SlotProblem | undefined
  onChange: (change: Partial<ProposedSlot>) => void
}

/** Fields for service, date, time and bay. */
export function SlotFields({ slot, services, day, slotProblem, onChange }: Props) {
  return (
    <>
      <Select
        label="Service"
        name="service"
        value={slot.serviceId}
        onChange={({ target }) => onChange({ serviceId: target.value })}
      >
        {services.map(({ id, name, duration_minutes }) => (
          <option key={id} value={id}>
            {name}, {duration_minutes} min
          </option>
        ))}
      </Select>
      <WhenFields slot={slot} day={day} slotProblem={slotProblem} onChange={onChange} />
    </>
  )
}

/**
 * Fields for date, time and bay. The time field offers every quarter of an hour; the times within the opening hours
 * come first.
 */
export function WhenFields({ slot, day, slotProblem, onChange }: Omit<Props, 'services'>) {
  const errorOf = (field: SlotProblem['field']) =>
    slotProblem?.field === field ? doesNotFit : undefined
  return (
    <div className="place-when">
      <Input
        label="Day"
        name="date"
        type="date"
        min="2000-01-01"
        max="2099-12-31"
        value={slot.date}
        onChange={({ target }) => target.value && onChange({ date: target.value })}
      />
      <Select
        label="Time"
        name="time"
        value={slot.time}
        error={errorOf('time')}
        onChange={({ target }) => onChange({ time: target.value })}
      >
        <TimeOptions chosen={slot.time} open={day?.open ?? []} />
      </Select>
      <BaySelect slot={slot} day={day} error={errorOf('bay')} onChange={onChange} />
    </div>
  )
}

const quarters = Array.from({ length: 96 }, (_, index) => index * 15)

function TimeOptions({ chosen, open }: { chosen: string; open: ShopDay['open'] }) {
  const isOpen = (minute: number) =>
    open.some(
      ({ opensAtMinute, closesAtMinute }) => opensAtMinute <= minute && minute < closesAtMinute,
    )
  const options = (minutes: readonly number[]) =>
    minutes.map((minute) => (
      <option key={minute} value={timeOfMinute(minute)}>
        {formatTime(timeOfMinute(minute))}
      </option>
    ))
  const isQuarter = quarters.some((minute) => timeOfMinute(minute) === chosen)
  return (
    <>
      {chosen === '' && <option value="">Choose</option>}
      {chosen !== '' && !isQuarter && <option value={chosen}>{formatTime(chosen)}</option>}
      <optgroup label="Opening hours">{options(quarters.filter(isOpen))}</optgroup>
      <optgroup label="Closed">{options(quarters.filter((minute) => !isOpen(minute)))}</optgroup>
    </>
  )
}

function BaySelect(
  props: Pick<Props, 'slot' | 'day' | 'onChange'> & { error: string | undefined },
) {
  const { slot, day, error, onChange } = props
  const canDo = (services: readonly string[] | null) => services?.includes(slot.serviceId) ?? true
  const bays = (day?.bays ?? []).filter(
    (bay) => bay.id === slot.bayId || (bay.is_active && canDo(bay.service_ids)),
  )
  return (
    <Select
      label="Bay"
      name="bay"
      value={slot.bayId}
      error={error}
      onChange={({ target }) => onChange({ bayId: target.value })}
    >
      <option value="">First free</option>
      {bays.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={noBay}>No bay</option>
    </Select>
  )
}
