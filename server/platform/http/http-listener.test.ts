import { describe, expect, it } from 'vitest'
import { openHttpListener } from './http-listener.ts'
import { StartupError } from '@local/postgres'

const openListener = (port = 0) =>
  openHttpListener('127.0.0.1', port, { clientOf: (address) => address })
const requestHealth = (port: number) => fetch(`http://127.0.0.1:${port}/healthz`)

describe('the HTTP listener', () => {
  it('returns 503 without caching until the app is ready', async () => {
    const listener = await openListener()
    const early = await requestHealth(listener.port)
    expect([early.status, early.headers.get('cache-control')]).toEqual([503, 'no-store'])
    listener.admit((_request, response) => void response.end('open'))
    expect(await (await requestHealth(listener.port)).text()).toBe('open')
    await listener.close(1_000)
  })

  it('finishes the running requests and accepts no new ones while it closes', async () => {
    const listener = await openListener()
    const arrived = Promise.withResolvers<undefined>()
    const release = Promise.withResolvers<undefined>()
    listener.admit((_request, response) => {
      arrived.resolve(undefined)
      void release.promise.then(() => response.end('finished'))
    })
    const underWay = requestHealth(listener.port)
    await arrived.promise
    const closed = listener.close(10_000)
    await expect(requestHealth(listener.port)).rejects.toThrow(/./)
    release.resolve(undefined)
    expect(await (await underWay).text()).toBe('finished')
    await closed
  })

  it('ends requests that are still running at the time limit of its shutdown', async () => {
    const listener = await openListener()
    const arrived = Promise.withResolvers<undefined>()
    listener.admit(() => arrived.resolve(undefined))
    const stuck = requestHealth(listener.port)
    await arrived.promise
    await Promise.all([expect(stuck).rejects.toThrow(/./), listener.close(50)])
  })

  it('refuses a port that is in use, with a message', async () => {
    const first = await openListener()
    await expect(openListener(first.port)).rejects.toThrow(StartupError)
    await first.close(100)
  })
})
