import type { CurrentShop, ShopFacts } from '#domain/shop/shop.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import type { Database } from '@local/postgres'
import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import { readShop } from './read-shop.ts'

/** How often the facts are read without having heard anything: a new day, or what a broken session missed. */
const pollMs = 30_000

export type WatchedShop = {
  readonly currentShop: CurrentShop
  stop(): void
}

type Options = {
  readonly database: Database
  readonly notifications: DatabaseNotifications
  /**
   * Is told of the facts at the beginning and of each change before they count as current. When it throws, the change is
   * tried again at the next look.
   */
  readonly onChange: (shop: ShopFacts) => Promise<void>
  readonly report: (error: unknown, what: string) => void
}

/**
 * Keeps this process's knowledge of the shop in step with the database, whoever changed it. Resolves once the facts are
 * known; throws when they cannot be read then, or `onChange` fails.
 */
export async function watchShop(options: Options): Promise<WatchedShop> {
  const { database, notifications, onChange, report } = options
  let shop = await readShop(database)
  const become = async (facts: ShopFacts) => {
    // A zone that this machine does not know is told now, not on every page.
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
    void poll().catch((error: unknown) => report(error, 'the facts of the shop stay as they were'))

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

/** `work`, one run after the other; who asks while a run waits shares that one, and it sees what all of them wrote. */
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
