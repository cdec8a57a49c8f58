import { describe, expect, it } from 'vitest'
import { createReadiness } from './readiness.ts'

const outcomeOf = (shutdown: Promise<void>) =>
  Promise.race([
    shutdown.then(() => 'gone'),
    new Promise((resolve) => setImmediate(() => resolve('waiting'))),
  ])

describe('a process that begins to shut down', () => {
  it('stops immediately when no load balancer has polled it', async () => {
    const readiness = createReadiness()
    expect(await outcomeOf(readiness.shutDown())).toBe('gone')
    expect(readiness.isShuttingDown).toBe(true)
  })

  it('waits until the load balancer has read from /readyz that the process stops', async () => {
    const readiness = createReadiness()
    readiness.recordProbe()
    const shutdown = readiness.shutDown()
    expect(await outcomeOf(shutdown)).toBe('waiting')
    readiness.recordProbe()
    await shutdown
  })

  it('does not wait for a load balancer that last polled long ago', async () => {
    let now = 0
    const readiness = createReadiness(() => now)
    readiness.recordProbe()
    now = 61_000
    expect(await outcomeOf(readiness.shutDown())).toBe('gone')
  })
})
