import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { subscribeLiveEvents, areLiveEventsOpen } from '#web/lib/live/live-events.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import type { DashboardLink } from '#web/dashboard/kit/navigation/links.ts'
import { toast, toastStore } from '#web/ui/toast/toast.ts'
import { batchNewBookings } from './batch-new-bookings.ts'
import { formatNewBookings } from './new-booking-text.ts'
import { listNewBookings, type NewBooking, readLatestEvent } from './new-bookings-api.ts'

/**
 * Shows a toast for each booking that visitors make while the dashboard is open, including those made while the live
 * stream was interrupted. Each booking is announced once.
 */
export function useNewBookings(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const announce = (bookings: readonly NewBooking[]) => {
      const show = (link: DashboardLink) => void navigate(link)
      const message = formatNewBookings(bookings, shopToday(new Date()), show)
      if (message) toast(message)
    }
    const gathering = batchNewBookings(announce, () => !toastStore.current()?.action)
    const onceEach = createOnceEach()
    // Reads run one after the other, so that a read knows the bookings that the previous one announced.
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
  }, [navigate])
}

/** Reads new bookings by their event ids, or, after an interruption, since the latest known event. */
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
