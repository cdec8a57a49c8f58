/** The query key of all data of the Today page. */
export const todayKey = 'today'

/** The refetch interval of the Today page in milliseconds. The displayed waiting times grow even without changes. */
export const everyMinuteMs = 60_000
