import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLiveStreams } from './live-streams.ts'

const signedIn = async () => true
/** All that waits to be read. */
const textOf = (stream: Readable | undefined) => {
  let text = ''
  for (let part = stream?.read() as Buffer | null; part; part = stream?.read() as Buffer | null) {
    text += part.toString()
  }
  return text
}

describe('a browser that listens', () => {
  it('is told to read everything at first, and then what is new', () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a')
    expect(textOf(stream)).toBe('retry: 2000\n\nevent: refetch\ndata: {}\n\n')
    streams.send('settings', { sections: ['bays'] })
    expect(textOf(stream)).toBe('event: settings\ndata: {"sections":["bays"]}\n\n')
  })

  it('hears now and then that it is still connected', async () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a')
    textOf(stream)
    await streams.beat()
    expect(textOf(stream)).toBe(': still here\n\n')
  })

  it('hears nothing more once its session has ended, while others do', async () => {
    const streams = createLiveStreams(async (token) => token !== 'gone')
    const gone = streams.open('gone')
    const stays = streams.open('stays')
    textOf(gone)
    textOf(stays)
    await streams.beat()
    streams.send('bookings', { bookings: ['b'], events: [1] })
    expect(await gone?.toArray()).toEqual([])
    expect(textOf(stays)).toContain('event: bookings')
  })

  it('is kept while nobody can say whether it is signed in', async () => {
    const streams = createLiveStreams(() => Promise.reject(new Error('The database is away.')))
    const stream = streams.open('a')
    textOf(stream)
    await streams.beat()
    expect(textOf(stream)).toBe(': still here\n\n')
  })

  it('that does not read is let go of', () => {
    const streams = createLiveStreams(signedIn)
    const stream = streams.open('a')
    for (let nth = 0; nth < 3_000; nth += 1) {
      streams.send('bookings', {
        bookings: ['00000000-0000-4000-8000-000000000001'],
        events: [nth],
      })
    }
    expect(stream?.destroyed).toBe(true)
  })

  it('is one of few: of a session, and of all', () => {
    const streams = createLiveStreams(signedIn)
    const opened = Array.from({ length: 13 }, () => streams.open('a'))
    expect(opened.map((stream) => stream !== undefined)).toEqual([
      ...Array.from({ length: 12 }, () => true),
      false,
    ])
    const others = Array.from({ length: 200 }, (_, nth) => streams.open(`other ${nth}`))
    expect(others.filter((stream) => stream !== undefined)).toHaveLength(120 - 12)
  })

  it('makes room when it leaves', async () => {
    const streams = createLiveStreams(signedIn)
    const opened = Array.from({ length: 12 }, () => streams.open('a'))
    const left = new Promise((resolve) => opened[0]?.once('close', resolve))
    opened[0]?.destroy()
    await left
    expect(streams.open('a')).toBeDefined()
  })
})
