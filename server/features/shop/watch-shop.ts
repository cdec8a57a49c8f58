import type { CurrentShop, ShopFacts } from '#domain/shop/shop.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import type { Database } from '@local/postgres'
import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import { readShop } from './read-shop.ts'

/**
 * The interval in milliseconds at which the shop details are read even without a change notification, because a new day
 * may have begun or a notification may have been lost with the database connection.
 */
const pollMs = 30_000

export type WatchedShop = {
  readonly currentShop: CurrentShop
  stop(): void
}

type Options = {
  readonly database: Database
  readonly notifications: DatabaseNotifications
  /**
   * Called with the shop details at the start and after each change, before the process uses the new details. If this
   * function throws after a change, the process keeps the former details and tries again at the next read.
   */
  readonly onChange: (shop: ShopFacts) => Promise<void>
  readonly report: (error: unknown, what: string) => void
}

/**
 * Updates the shop details in this process whenever they change. Resolves after the first read; rejects when that
 * read or `onChange` fails.
 */
export async function watchShop(options: Options): Promise<WatchedShop> {
  const { database, notifications, onChange, report } = options
  let shop = await readShop(database)
  const become = async (facts: ShopFacts) => {
    // Throws if the new time zone is unknown, before the process uses the new details: every page would otherwise fail.
    shopClock(new Date(), facts.timeZone)
    await onChange(facts)
    setShopTimeZone(facts.timeZone)
    shop = facts
  }
  await become(shop)

  const poll = oneAtATime(async () => {
    const read = await readShop(database)
    if (JSON.stringify(read) !== JSON.stringify(shop)) await become(read)
  })
  const pollAndReport = () =>
    void poll().catch((error: unknown) =>
      report(error, 'the details of the shop could not be updated'),
    )

  const unsubscribe = notifications.subscribe('settings_changed', {
    onNotification: pollAndReport,
    onBegin: pollAndReport,
  })
  const timer = setInterval(pollAndReport, pollMs)
  timer.unref()
  return {
    currentShop: () => shop,
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

/**
 * Returns a function that calls `work`, but never starts a run before the previous one has ended. All calls during a
 * run share one further run. The further run starts after the current one, so it reads the changes that caused these
 * calls.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined
  const start = () => {
    waiting = undefined
    return work()
  }
  return () => {
    waiting ??= last = last.then(start, start)
    return waiting
  }
}
