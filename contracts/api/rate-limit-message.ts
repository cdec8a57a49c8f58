const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds

/**
 * What everyone hears who has tried too often: the wait in whole seconds, minutes from a minute on, hours
 * from two hours on. Rounded up, so that who comes back then is never too early.
 */
export function rateLimitMessage(waitSeconds: number): string {
  return `Too many attempts. Please try again in ${duration(waitSeconds)}.`
}

function duration(seconds: number): string {
  if (seconds < minuteSeconds) return count(seconds, 'second')
  if (seconds < 2 * hourSeconds) return count(seconds / minuteSeconds, 'minute')
  return count(seconds / hourSeconds, 'hour')
}

function count(amount: number, unit: string): string {
  const whole = Math.max(1, Math.ceil(amount))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
