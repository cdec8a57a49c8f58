import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLiveStreams } from './live-streams.ts'

const signedIn = async () => 'owner' as const
/** Returns all unread data of a stream. */
const textOf = (stream: Readable | undefined) => {
  let text = ''
  for (let part = stream?.read() as Buffer | null; part; part = stream?.read() as Buffer | null) {
    text += part.toString()
  }
  return text
}

describe('the live event stream of a dashboard', () => {
  it('starts with an event that makes the dashboard refetch everything, and then contains an event for each change', () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a', 'owner')
    expect(textOf(stream)).toBe('retry: 2000\n\nevent: refetch\ndata: {}\n\n')
    streams.send('settings', { sections: ['bays'] })
    expect(textOf(stream)).toBe('event: settings\ndata: {"sections":["bays"]}\n\n')
  })

  it('receives comments at intervals, which keep an idle connection open', async () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a', 'owner')
    textOf(stream)
    streams.beat()
    expect(textOf(stream)).toBe(': still here\n\n')
  })

  it('ends when its dashboard session ends, while other streams continue', async () => {
    const streams = createLiveStreams(async (token) => (token === 'gone' ? undefined : 'owner'))
    const gone = streams.open('gone', 'owner')
    const stays = streams.open('stays', 'owner')
    textOf(gone)
    textOf(stays)
    await streams.endOutdated()
    streams.send('bookings', { bookings: ['b'], events: [1] })
    expect(await gone?.toArray()).toEqual([])
    expect(textOf(stays)).toContain('event: bookings')
  })

  it('stays open during a database outage, when its dashboard session cannot be checked', async () => {
    const streams = createLiveStreams(() => Promise.reject(new Error('The database is away.')))
    const stream = streams.open('a', 'owner')
    textOf(stream)
    await streams.endOutdated()
    streams.beat()
    expect(textOf(stream)).toBe(': still here\n\n')
  })

  it('ends when its staff account gets another role', async () => {
    let role: 'owner' | 'technician' = 'owner'
    const streams = createLiveStreams(async () => role)
    const stream = streams.open('a', 'owner')
    textOf(stream)
    await streams.endOutdated()
    streams.beat()
    expect(textOf(stream)).toBe(': still here\n\n')
    role = 'technician'
    await streams.endOutdated()
    streams.send('invoices', { invoices: ['in_one'] })
    expect(await stream?.toArray()).toEqual([])
  })

  it('sends a technician no record ids, and only events about bookings, tasks and relevant settings', () => {
    const streams = createLiveStreams(async () => 'technician')
    const stream = streams.open('a', 'technician')
    textOf(stream)
    streams.send('bookings', { bookings: ['b'], events: [1] })
    streams.send('tasks', { tasks: ['t'] })
    streams.send('estimates', { estimates: ['e'] })
    streams.send('invoices', { invoices: ['i'] })
    streams.send('cash', { records: ['r'] })
    streams.send('quotes', { quotes: ['q'] })
    streams.send('customers', { customers: ['c'] })
    streams.send('settings', { sections: ['payments'] })
    streams.send('settings', { sections: ['bays', 'payments'] })
    streams.send('refetch', {})
    expect(textOf(stream).trim().split('\n\n')).toEqual([
      'event: bookings\ndata: {"bookings":[],"events":[]}',
      'event: tasks\ndata: {"tasks":[]}',
      'event: settings\ndata: {"sections":["bays"]}',
      'event: refetch\ndata: {}',
    ])
  })

  it('is closed when its client does not read the events', () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a', 'owner')
    for (let nth = 0; nth < 3_000; nth += 1) {
      streams.send('bookings', {
        bookings: ['00000000-0000-4000-8000-000000000001'],
        events: [nth],
      })
    }
    expect(stream?.destroyed).toBe(true)
  })

  it('is refused if its dashboard session already has twelve streams or the server has 120 streams', () => {
    const streams = createLiveStreams(signedIn)
    const opened = Array.from({ length: 13 }, () => streams.open('a', 'owner'))
    expect(opened.map((stream) => stream !== undefined)).toEqual([
      ...Array.from({ length: 12 }, () => true),
      false,
    ])
    const others = Array.from({ length: 200 }, (_, nth) => streams.open(`other ${nth}`, 'owner'))
    expect(others.filter((stream) => stream !== undefined)).toHaveLength(120 - 12)
  })

  it('no longer counts toward the limit on streams after it is closed', async () => {
    const streams = createLiveStreams(signedIn)
    const opened = Array.from({ length: 12 }, () => streams.open('a', 'owner'))
    const left = new Promise((resolve) => opened[0]?.once('close', resolve))
    opened[0]?.destroy()
    await left
    expect(streams.open('a', 'owner')).toBeDefined()
  })
})
