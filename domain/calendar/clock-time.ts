/**
 * A time of day has no date and no time zone. The database and the API use 'HH:mm:ss', slots use 'HH:mm'
 * (docs/product.md 3.10 and 9.3), calculations use minutes after midnight, and pages show AM and PM.
 */

const pad = (value: number) => String(value).padStart(2, '0')

/**
 * A minute after midnight as text: 690 → '11:30 AM', 1260 → '9:00 PM'. `minute` is 0 to 1440; 1440 is the next
 * midnight.
 */
export function formatMinute(minute: number): string {
  const hour = Math.floor(minute / 60) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12}:${pad(minute % 60)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A time of day as text: '13:30:00' or '13:30' → '1:30 PM'. */
export function formatTime(time: string): string {
  return formatMinute(minuteOfTime(time))
}

/** A minute after midnight in the format of a slot: 810 → '13:30'. */
export function timeOfMinute(minute: number): string {
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
}

/** A slot's time in the format of the database: '13:30' → '13:30:00'. */
export function storedTime(time: string): string {
  return time.length === 5 ? `${time}:00` : time
}

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/** Returns whether a text is a time of day as 'HH:mm' or 'HH:mm:ss'. */
export function isClockTime(text: string): boolean {
  return clockTime.test(text)
}

/** The minute after midnight of a time of day: '13:30:59' → 810. Throws on a text that is not a time of day. */
export function minuteOfTime(time: string): number {
  return Math.floor(secondOfTime(time) / 60)
}

/** The second after midnight of a time of day: '00:01:30' → 90. Throws on a text that is not a time of day. */
export function secondOfTime(time: string): number {
  const [, hour, minute, second = '0'] = clockTime.exec(time) ?? []
  if (hour === undefined || minute === undefined) throw new RangeError(`Not a time of day: ${time}`)
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}
