import { expect, test } from 'vitest'
import { serializeCalls } from './serialize-calls.ts'

test('several calls during a run of the action cause a single further run after the current run', async () => {
  const runs: (() => void)[] = []
  const run = serializeCalls(() => new Promise<void>((resolve) => runs.push(resolve)))
  const first = run()
  void run()
  void run()
  expect(runs).toHaveLength(1)
  runs[0]?.()
  await Promise.resolve()
  await Promise.resolve()
  expect(runs).toHaveLength(2)
  runs[1]?.()
  await first
  expect(runs).toHaveLength(2)
})

test('the action runs again when it is called after a failure', async () => {
  let runs = 0
  const run = serializeCalls(() => {
    runs += 1
    return runs === 1 ? Promise.reject(new Error('Offline')) : Promise.resolve()
  })
  await expect(run()).rejects.toThrow('Offline')
  await run()
  expect(runs).toBe(2)
})
