/** What comes within this long of each other is told together, */
const quietMs = 1_500
/** but nothing waits longer, */
const mostMs = 5_000
/** except for a notification that offers a way back: that is looked after this often. */
const recheckMs = 500

/**
 * Gathers what comes in bursts. `say` gets all of it together once it is quiet and `isFree` says that nothing would be
 * pushed aside by it.
 */
export function batchNewBookings<One>(
  announce: (gathered: readonly One[]) => void,
  isFree: () => boolean,
): { readonly add: (bookings: readonly One[]) => void; readonly end: () => void } {
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
    add(bookings) {
      if (bookings.length === 0) return
      if (waiting.length === 0) since = Date.now()
      waiting.push(...bookings)
      clearTimeout(timer)
      timer = setTimeout(flush, Math.max(0, Math.min(quietMs, since + mostMs - Date.now())))
    },
    end: () => clearTimeout(timer),
  }
}
