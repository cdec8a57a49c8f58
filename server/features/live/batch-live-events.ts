import type { DatabaseNotifications } from '#server/platform/database/channels.ts'
import type { LiveStreams } from './live-streams.ts'

/** The time in milliseconds for which database changes are collected before they are sent as one event. */
const gatherMs = 50

/**
 * The maximum number of record ids in one event. If more records changed, the event asks dashboards to refetch
 * everything.
 */
const mostNamed = 200

/** Forwards change notifications of the database to open dashboards. Returns a function that stops the forwarding. */
export function batchLiveEvents(
  notifications: DatabaseNotifications,
  streams: Pick<LiveStreams, 'send'>,
): () => void {
  const bookings = new Set<string>()
  const events = new Set<number>()
  const sections = new Set<string>()
  const tasks = new Set<string>()
  const estimates = new Set<string>()
  const invoices = new Set<string>()
  const cash = new Set<string>()
  const quotes = new Set<string>()
  const customers = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    if (sections.size > 0) streams.send('settings', { sections: [...sections] })
    const mostOfAKind = Math.max(
      ...[bookings, tasks, estimates, invoices, cash, quotes, customers].map(({ size }) => size),
    )
    if (mostOfAKind > mostNamed) streams.send('refetch', {})
    else sendRecords()
    for (const pending of [
      bookings,
      events,
      tasks,
      estimates,
      invoices,
      cash,
      quotes,
      customers,
      sections,
    ])
      pending.clear()
  }
  const sendRecords = () => {
    if (bookings.size > 0) {
      streams.send('bookings', { bookings: [...bookings], events: [...events] })
    }
    if (tasks.size > 0) streams.send('tasks', { tasks: [...tasks] })
    if (estimates.size > 0) streams.send('estimates', { estimates: [...estimates] })
    if (invoices.size > 0) streams.send('invoices', { invoices: [...invoices] })
    if (cash.size > 0) streams.send('cash', { records: [...cash] })
    if (quotes.size > 0) streams.send('quotes', { quotes: [...quotes] })
    if (customers.size > 0) streams.send('customers', { customers: [...customers] })
  }
  const sendSoon = () => {
    timer ??= setTimeout(flush, gatherMs).unref()
  }
  const missed = () => streams.send('refetch', {})

  const unsubscribe = [
    notifications.subscribe('bookings_changed', {
      onBegin: missed,
      onNotification(payload) {
        const [booking = '', event] = payload.split(' ')
        bookings.add(booking)
        if (event !== undefined) events.add(Number(event))
        sendSoon()
      },
    }),
    notifications.subscribe('tasks_changed', {
      onBegin: () => undefined,
      onNotification(task) {
        tasks.add(task)
        sendSoon()
      },
    }),
    notifications.subscribe('estimates_changed', {
      onBegin: () => undefined,
      onNotification(estimate) {
        estimates.add(estimate)
        sendSoon()
      },
    }),
    notifications.subscribe('invoices_changed', {
      onBegin: () => undefined,
      onNotification(invoice) {
        invoices.add(invoice)
        sendSoon()
      },
    }),
    notifications.subscribe('cash_changed', {
      onBegin: () => undefined,
      onNotification(record) {
        cash.add(record)
        sendSoon()
      },
    }),
    notifications.subscribe('quotes_changed', {
      onBegin: () => undefined,
      onNotification(quote) {
        quotes.add(quote)
        sendSoon()
      },
    }),
    notifications.subscribe('customers_changed', {
      onBegin: () => undefined,
      onNotification(customer) {
        customers.add(customer)
        sendSoon()
      },
    }),
    notifications.subscribe('settings_changed', {
      // This function is empty, because all subscriptions share one database connection: the `onBegin` function of the
      // first subscription already handles a reconnect.
      onBegin: () => undefined,
      onNotification(section) {
        sections.add(section)
        sendSoon()
      },
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const end of unsubscribe) end()
  }
}
