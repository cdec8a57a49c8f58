import { expect, it } from 'vitest'
import { QueueFullError } from '#server/platform/queue/work-queue.ts'
import { createPasswordQueues } from './password-queues.ts'

it('lets eight wait, turns the next away at once, and has room again afterwards', async () => {
  const { unknown } = createPasswordQueues()
  const check = Promise.withResolvers<string>()
  const held = Array.from({ length: 9 }, () => unknown(() => check.promise))
  await expect(unknown(() => check.promise)).rejects.toThrow(QueueFullError)
  check.resolve('done')
  expect(new Set(await Promise.all(held))).toEqual(new Set(['done']))
  expect(await unknown(() => check.promise)).toBe('done')
})

it('keeps a lane for known browsers that strangers cannot fill', async () => {
  const { unknown, known } = createPasswordQueues()
  const check = Promise.withResolvers<string>()
  const attempts = Array.from({ length: 20 }, () => unknown(() => check.promise))
  expect(await known(() => Promise.resolve('checked'))).toBe('checked')
  check.resolve('done')
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(11)
})
