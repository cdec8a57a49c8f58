const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS

/**
 * What everyone hears who has tried too often: the wait in whole seconds, minutes from a minute on, hours
 * from two hours on. Rounded up, so that who comes back then is never too early.
 */
export function tooManyAttempts(waitSeconds: number): string {
  return `Too many attempts. Please try again in ${duration(waitSeconds)}.`
}

function duration(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return count(seconds, 'second')
  if (seconds < 2 * HOUR_SECONDS) return count(seconds / MINUTE_SECONDS, 'minute')
  return count(seconds / HOUR_SECONDS, 'hour')
}

function count(amount: number, unit: string): string {
  const whole = Math.max(1, Math.ceil(amount))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
