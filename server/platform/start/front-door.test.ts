import { describe, expect, it } from 'vitest'
import { openHttpListener } from './front-door.ts'
import { StartupError } from './start-refused.ts'

const openDoor = (port = 0) =>
  openHttpListener('127.0.0.1', port, { clientOf: (address) => address })
const requestHealth = (port: number) => fetch(`http://127.0.0.1:${port}/healthz`)

describe('the front door', () => {
  it('answers 503 until the app is ready, and never lets that be cached', async () => {
    const door = await openDoor()
    const early = await requestHealth(door.port)
    expect([early.status, early.headers.get('cache-control')]).toEqual([503, 'no-store'])
    door.admit((_request, response) => void response.end('open'))
    expect(await (await requestHealth(door.port)).text()).toBe('open')
    await door.close(1_000)
  })

  it('lets the requests under way finish and takes no new ones', async () => {
    const door = await openDoor()
    const arrived = Promise.withResolvers<undefined>()
    const mayAnswer = Promise.withResolvers<undefined>()
    door.admit((_request, response) => {
      arrived.resolve(undefined)
      void mayAnswer.promise.then(() => response.end('finished'))
    })
    const underWay = requestHealth(door.port)
    await arrived.promise
    const closed = door.close(10_000)
    await expect(requestHealth(door.port)).rejects.toThrow(/./)
    mayAnswer.resolve(undefined)
    expect(await (await underWay).text()).toBe('finished')
    await closed
  })

  it('cuts off what does not finish in time', async () => {
    const door = await openDoor()
    const arrived = Promise.withResolvers<undefined>()
    door.admit(() => arrived.resolve(undefined))
    const stuck = requestHealth(door.port)
    await arrived.promise
    await Promise.all([expect(stuck).rejects.toThrow(/./), door.close(50)])
  })

  it('that somebody else holds is refused with a sentence', async () => {
    const first = await openDoor()
    await expect(openDoor(first.port)).rejects.toThrow(StartupError)
    await first.close(100)
  })
})
