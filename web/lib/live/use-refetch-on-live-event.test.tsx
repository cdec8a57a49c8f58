import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { openLiveEvents } from './live-events.ts'
import { useRefetchOnLiveEvent } from './use-refetch-on-live-event.ts'

/** A fake `EventSource` that replaces the server's stream of live events. The tests dispatch the events. */
class Stream extends EventTarget {
  static readonly opened: Stream[] = []
  readyState = 1
  constructor() {
    super()
    Stream.opened.push(this)
  }
  close() {
    this.readyState = 2
  }
  static emit(name: string, data: object = {}) {
    Stream.opened.at(-1)?.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
}

let readings = 0
/** The query keys under which two subscribers refetch data. Both subscribers share one event stream. */
const [one, two] = [['bookings'], ['bookings', 'services']]

function Appointments() {
  useRefetchOnLiveEvent('bookings', one)
  useRefetchOnLiveEvent('settings', two)
  const { data } = useQuery({ queryKey: ['bookings'], queryFn: () => Promise.resolve(++readings) })
  return <p>Reading {data}</p>
}
const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Appointments />
    </QueryClientProvider>,
  )
const reading = (nth: number) => page.getByText(`Reading ${nth}`)

beforeEach(() => {
  readings = 0
  Stream.opened.length = 0
  vi.stubGlobal('EventSource', Object.assign(Stream, { CLOSED: 2 }))
})
afterEach(() => vi.unstubAllGlobals())

test('data that is read after the live event stream has opened is not refetched immediately', async () => {
  openLiveEvents()
  Stream.emit('refetch')
  await open()
  await expect.element(reading(1)).toBeVisible()
  expect(Stream.opened).toHaveLength(1)
  Stream.emit('bookings', { bookings: [], events: [] })
  await expect.element(reading(2)).toBeVisible()
})

test('data that was read before the live event stream opened is refetched once, even with several subscribers', async () => {
  await open()
  await expect.element(reading(1)).toBeVisible()
  Stream.emit('refetch')
  await expect.element(reading(2)).toBeVisible()
  Stream.emit('bookings', { bookings: [], events: [] })
  await expect.element(reading(3)).toBeVisible()
})

test('all data is refetched after an interruption of the live event stream', async () => {
  openLiveEvents()
  Stream.emit('refetch')
  await open()
  await expect.element(reading(1)).toBeVisible()
  Stream.emit('refetch')
  await expect.poll(() => readings).toBeGreaterThan(1)
})
