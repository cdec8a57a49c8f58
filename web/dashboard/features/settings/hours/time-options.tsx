import { formatMinute } from '#domain/calendar/clock-time.ts'

const quarters = Array.from({ length: 97 }, (_, index) => index * 15)

/**
 * Renders an option for every quarter hour of a day, and one for `current` (minutes after midnight) if this time is not
 * a quarter hour. `valueOf` formats the option's value.
 */
export function TimeOptions(props: { current: number; valueOf: (minute: number) => string }) {
  const minutes = quarters.includes(props.current)
    ? quarters
    : [...quarters, props.current].toSorted((a, b) => a - b)
  return minutes.map((minute) => (
    <option key={minute} value={props.valueOf(minute)}>
      {minute === 1440 ? 'Midnight' : formatMinute(minute)}
    </option>
  ))
}
