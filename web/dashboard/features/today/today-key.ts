/** Under which what is known of today is kept and read again. */
export const todayKey = 'today'

/** Time goes on: who waits, waits longer. */
export const everyMinuteMs = 60_000
