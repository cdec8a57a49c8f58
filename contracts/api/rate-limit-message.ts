const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds

/**
 * The message after too many attempts, with the remaining time: below one minute in seconds, below two hours in
 * minutes, otherwise in hours. The time is rounded up, so that an attempt after the stated time is accepted.
 */
export function rateLimitMessage(waitSeconds: number): string {
  return `Too many attempts. Please try again in ${duration(waitSeconds)}.`
}

/** A duration in words, rounded up: '40 seconds', '5 minutes', '3 hours'. */
export function duration(seconds: number): string {
  if (seconds < minuteSeconds) return count(seconds, 'second')
  if (seconds < 2 * hourSeconds) return count(seconds / minuteSeconds, 'minute')
  return count(seconds / hourSeconds, 'hour')
}

function count(amount: number, unit: string): string {
  const whole = Math.max(1, Math.ceil(amount))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
