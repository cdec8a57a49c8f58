import { shopToday } from '#domain/calendar/shop-time.ts'
import {
  areLiveEventsOpen,
  type LiveEvent,
  subscribeLiveEvents,
} from '#web/lib/live/live-events.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import type { DashboardLink } from '#web/dashboard/kit/navigation/links.ts'
import { toast, type ToastMessage, toastStore } from '#web/ui/toast/toast.ts'
import { batchAnnouncements } from './batch-announcements.ts'

/**
 * Defines how the dashboard announces one kind of record that visitors create, such as bookings. Each record is
 * announced once.
 */
export type Announced<One, Id> = {
  /** The name of the records in the error messages of the browser console. */
  readonly what: string
  /** Returns the ids of the records that a live event names; undefined if the event is about another kind of record. */
  readonly idsIn: (event: LiveEvent) => readonly Id[] | undefined
  /**
   * Creates the function that reads new records. With ids, which come from a live event, the function reads these
   * records. Without ids, the function reads the records created since the last call; the first call without ids
   * returns no records.
   */
  readonly createReader: () => (ids?: readonly Id[]) => Promise<readonly One[]>
  /** Returns the toast about new records; undefined for an empty list. `show` navigates to one of the records. */
  readonly format: (
    records: readonly One[],
    today: string,
    show: (link: DashboardLink) => void,
  ) => ToastMessage | undefined
}

/**
 * Shows a toast for the records that visitors create from now on, including those created while the live stream was
 * interrupted. Returns a function that stops the toasts.
 */
export function announceRecords<One, Id>(
  announced: Announced<One, Id>,
  show: (link: DashboardLink) => void,
): () => void {
  const announce = (records: readonly One[]) => {
    const message = announced.format(records, shopToday(new Date()), show)
    if (message) toast(message)
  }
  const gathering = batchAnnouncements(announce, () => !toastStore.current()?.action)
  const readNew = announced.createReader()
  // The requests for new records run one after the other, so that no request returns an already announced record.
  let reading = Promise.resolve()
  const read = (ids?: readonly Id[]) => {
    reading = reading
      .then(async () => gathering.add(await readNew(ids)))
      .catch((error) => logQuietly(`${announced.what} not read`, error))
  }
  if (areLiveEventsOpen()) read()
  const stop = subscribeLiveEvents((event) => {
    const ids = announced.idsIn(event)
    if (ids || event.name === 'refetch') read(ids)
  })
  return () => {
    stop()
    gathering.end()
  }
}
