import { useEffect } from 'react'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { subscribeLiveEvents, areLiveEventsOpen } from '#web/lib/live/live-events.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { navigateSearch } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { toast, toastStore } from '#web/ui/toast/toast.ts'
import { batchNewBookings } from './batch-new-bookings.ts'
import { formatNewBookings } from './new-booking-text.ts'
import { listNewBookings, type NewBooking, readLatestEvent } from './new-bookings-api.ts'

/** Announces what visitors book while the dashboard is open, each once, also after a gap of the stream. */
export function useNewBookings(): void {
  useEffect(() => {
    const gathering = batchNewBookings(announce, () => !toastStore.current()?.action)
    const onceEach = createOnceEach()
    // One reading after the other: the second knows what the first one told.
    let reading = Promise.resolve()
    const read = (ids?: readonly number[]) => {
      reading = reading
        .then(async () => gathering.add(await onceEach(ids)))
        .catch((error) => logQuietly('new bookings not read', error))
    }
    if (areLiveEventsOpen()) read()
    const stop = subscribeLiveEvents((received) => {
      if (received.name === 'bookings') read(received.data.events)
      if (received.name === 'refetch') read()
    })
    return () => {
      stop()
      gathering.end()
    }
  }, [])
}

function announce(bookings: readonly NewBooking[]): void {
  const message = formatNewBookings(bookings, shopToday(new Date()), navigateSearch)
  if (message) toast(message)
}

/** Reads what is new by the lines that are named, or after a gap since the latest one that is known. */
function createOnceEach() {
  const announced = new Set<string>()
  let latest: number | undefined
  return async (ids: readonly number[] | undefined): Promise<NewBooking[]> => {
    if (!ids && latest === undefined) {
      latest = await readLatestEvent()
      return []
    }
    const found = await listNewBookings(ids ? { ids } : { after: latest ?? 0 })
    latest = Math.max(latest ?? 0, found.latest)
    const received = found.bookings.filter(({ id }) => !announced.has(id))
    for (const { id } of received) announced.add(id)
    return received
  }
}
