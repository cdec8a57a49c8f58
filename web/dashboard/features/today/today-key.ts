/** The query key of all data of the Today page. */
export const todayKey = 'today'

/** Refetch interval of the Today page. Waiting times grow even without changes. */
export const everyMinuteMs = 60_000
