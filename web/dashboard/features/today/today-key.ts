/** The query key of all data of the Today page. */
export const todayKey = 'today'

/**
 * The refetch interval of the Today page in milliseconds. The refetch also updates the displayed waiting times, which
 * grow even if no record changes.
 */
export const everyMinuteMs = 60_000
