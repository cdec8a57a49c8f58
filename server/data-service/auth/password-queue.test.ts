import { expect, it } from 'vitest'
import { createPasswordQueue, type Lane, type PasswordQueue } from './password-queue.ts'

/** Work that lasts until it is told to end. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let hasBegun = false
  return {
    run: () => {
      hasBegun = true
      return promise
    },
    hasBegun: () => hasBegun,
    end: () => resolve('done'),
  }
}

/** The same as a promise also where it is turned away. */
const ask = async (queue: PasswordQueue, lane: Lane, work: () => Promise<string>) =>
  queue.run(lane, work)

it('does one at a time, in order', async () => {
  const queue = createPasswordQueue()
  const [first, second] = [openWork(), openWork()]
  const results = [ask(queue, 'strangers', first.run), ask(queue, 'strangers', second.run)]
  await Promise.resolve()
  expect([first.hasBegun(), second.hasBegun()]).toEqual([true, false])
  first.end()
  second.end()
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})

it('lets eight wait, turns the next away at once, and has room again afterwards', async () => {
  const queue = createPasswordQueue()
  const work = openWork()
  const held = Array.from({ length: 9 }, () => ask(queue, 'strangers', work.run))
  expect(queue.run('strangers', work.run)).toBeUndefined()
  work.end()
  expect(new Set(await Promise.all(held))).toEqual(new Set(['done']))
  expect(await queue.run('strangers', work.run)).toBe('done')
})

it('keeps a lane for known browsers that strangers cannot fill', async () => {
  const queue = createPasswordQueue()
  const strangers = openWork()
  for (let count = 0; count < 20; count += 1) void queue.run('strangers', strangers.run)
  expect(await queue.run('known', () => Promise.resolve('checked'))).toBe('checked')
  strangers.end()
})

it('goes on after a check that failed', async () => {
  const queue = createPasswordQueue()
  const failed = queue.run('known', () => Promise.reject(new Error('broken')))
  const next = queue.run('known', () => Promise.resolve('checked'))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('checked')
})
