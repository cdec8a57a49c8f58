/**
 * A batch of new records ends when no record has arrived for this many milliseconds. One toast announces all records of
 * a batch.
 */
const quietMs = 1_500
/** The maximum time, in milliseconds, between the first record of a batch and its announcement. */
const mostMs = 5_000
/**
 * The interval, in milliseconds, at which a finished batch of records checks whether its toast may appear. The toast
 * must not replace another toast that has a button.
 */
const recheckMs = 500

/**
 * Collects records that arrive in quick succession into a batch. After the batch ends, calls `announce` with all of its
 * records as soon as `isFree` returns true: an announcement must not replace a toast that has a button.
 */
export function batchAnnouncements<One>(
  announce: (gathered: readonly One[]) => void,
  isFree: () => boolean,
): { readonly add: (records: readonly One[]) => void; readonly end: () => void } {
  let waiting: One[] = []
  let since = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    if (!isFree()) {
      timer = setTimeout(flush, recheckMs)
      return
    }
    const gathered = waiting
    waiting = []
    announce(gathered)
  }
  return {
    add(records) {
      if (records.length === 0) return
      if (waiting.length === 0) since = Date.now()
      waiting.push(...records)
      clearTimeout(timer)
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, since + mostMs - Date.now())))
    },
    end: () => clearTimeout(timer),
  }
}
