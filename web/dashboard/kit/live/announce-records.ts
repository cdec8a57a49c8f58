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

/** A kind of records that visitors add and the dashboard announces, each once. */
export type Announced<One, Id> = {
  /** The name of the records in the log. */
  readonly what: string
  /** The ids that a live event names; undefined if it is about other records. */
  readonly idsIn: (event: LiveEvent) => readonly Id[] | undefined
  /**
   * Creates the function that reads new records by the ids of a live event, or, without ids, since the last reading.
   * The first reading without ids returns none.
   */
  readonly createReader: () => (ids?: readonly Id[]) => Promise<readonly One[]>
  /** The message about records; `show` navigates to one of them. Undefined without records. */
  readonly format: (
    records: readonly One[],
    today: string,
    show: (link: DashboardLink) => void,
  ) => ToastMessage | undefined
}

/**
 * Shows a toast for the records that visitors add from now on, including those added while the live stream was
 * interrupted. Returns a function that stops it.
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
  // Reads run one after the other, so that a read knows the records that the previous one announced.
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
