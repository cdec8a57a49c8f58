import { formatMinute } from '#domain/calendar/clock-time.ts'

const quarters = Array.from({ length: 97 }, (_, index) => index * 15)

/** Every quarter of an hour of a day, and `current`, which may lie between two; values are made by `valueOf`. */
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
