import { expect, it } from 'vitest'
import { createPasswordQueues } from './password-queues.ts'

it('the queue of password checks lets eight checks wait for the running one, returns `busy` for the next, and accepts checks again once the queue is empty', async () => {
  const { unknown } = createPasswordQueues()
  const check = Promise.withResolvers<boolean>()
  const accepted = Array.from({ length: 9 }, () => unknown(() => check.promise))
  expect(await unknown(() => check.promise)).toBe('busy')
  check.resolve(true)
  expect(await Promise.all(accepted)).toEqual(Array.from({ length: 9 }, () => true))
  expect(await unknown(() => check.promise)).toBe(true)
})

it('the password of a known browser is checked even while the queue for passwords of unknown browsers is full', async () => {
  const { unknown, known } = createPasswordQueues()
  const check = Promise.withResolvers<boolean>()
  const attempts = Array.from({ length: 20 }, () => unknown(() => check.promise))
  expect(await known(() => Promise.resolve(true))).toBe(true)
  check.resolve(true)
  const outcomes = await Promise.all(attempts)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(11)
})
