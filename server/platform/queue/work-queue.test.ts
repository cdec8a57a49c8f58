import { describe, expect, it } from 'vitest'
import { createWorkQueue, QueueFullError } from './work-queue.ts'

/**
 * Creates a gate: `pass` returns a promise that resolves when the test calls `open`. The work of a test waits for this
 * promise.
 */
function openGate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), pass: () => opened }
}

describe('a work queue', () => {
  it('runs items up to its limit at the same time, and the others in the order of the calls', async () => {
    const queue = createWorkQueue({ atOnce: 2, waiting: 10, timeoutMs: 10_000 })
    const gate = openGate()
    const begun: number[] = []
    const all = [0, 1, 2, 3].map((number) =>
      queue(async () => {
        begun.push(number)
        await gate.pass()
      }),
    )
    await expect.poll(() => begun).toEqual([0, 1])
    gate.open()
    await Promise.all(all)
    expect(begun).toEqual([0, 1, 2, 3])
  })

  it('refuses an item immediately when the queue is full', async () => {
    const queue = createWorkQueue({ atOnce: 1, waiting: 1, timeoutMs: 10_000 })
    const gate = openGate()
    const [running, waiting] = [queue(gate.pass), queue(gate.pass)]
    await expect(queue(gate.pass)).rejects.toThrow(QueueFullError)
    gate.open()
    await Promise.all([running, waiting])
    expect(await queue(async () => 'free again')).toBe('free again')
  })

  it('refuses an item that waited too long, and frees its place', async () => {
    const queue = createWorkQueue({ atOnce: 1, waiting: 1, timeoutMs: 1 })
    const gate = openGate()
    const running = queue(gate.pass)
    await expect(queue(gate.pass)).rejects.toThrow(QueueFullError)
    gate.open()
    await running
    expect(await queue(async () => 'free again')).toBe('free again')
  })

  it('frees the place of a work item that failed', async () => {
    const queue = createWorkQueue({ atOnce: 1, waiting: 0, timeoutMs: 1 })
    await expect(queue(() => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await queue(async () => 'free again')).toBe('free again')
  })
})
