import type { ShopDay } from '#contracts/bookings/day.ts'
import { formatTime, timeOfMinute } from '#domain/calendar/clock-time.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import {
  type BookableService,
  noBay,
  type ProposedSlot,
} from '../phone-booking/phone-bookings-api.ts'
import './slot-fields.css'

type Props = {
  slot: ProposedSlot
  services: readonly BookableService[]
  day: ShopDay | undefined
  /** Whether the chosen time has a problem. The field is then marked invalid. */
  hasSlotProblem: boolean
  onChange: (change: Partial<ProposedSlot>) => void
}

/** Fields for service, date, time and bay. */
export function SlotFields({ slot, services, day, hasSlotProblem, onChange }: Props) {
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
      <WhenFields slot={slot} day={day} hasSlotProblem={hasSlotProblem} onChange={onChange} />
    </>
  )
}

/** Fields for date, time and bay. The times are quarters of an hour, those within the opening hours first. */
export function WhenFields({ slot, day, hasSlotProblem, onChange }: Omit<Props, 'services'>) {
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
        aria-invalid={hasSlotProblem || undefined}
        onChange={({ target }) => onChange({ time: target.value })}
      >
        <TimeOptions chosen={slot.time} open={day?.open ?? []} />
      </Select>
      <BaySelect slot={slot} day={day} onChange={onChange} />
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

function BaySelect({ slot, day, onChange }: Pick<Props, 'slot' | 'day' | 'onChange'>) {
  const canDo = (services: readonly string[] | null) => services?.includes(slot.serviceId) ?? true
  const bays = (day?.bays ?? []).filter(
    (bay) => bay.id === slot.bayId || (bay.is_active && canDo(bay.service_ids)),
  )
  return (
    <Select
      label="Bay"
      name="bay"
      value={slot.bayId}
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
