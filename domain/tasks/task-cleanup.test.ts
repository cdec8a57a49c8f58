import { describe, expect, test } from 'vitest'
import { formatDuration, formatShortDuration } from '#domain/text/duration-text.ts'
import { tasksToCleanUp } from './task-cleanup.ts'
import { canBeMarkedReady, quickTransition, taskStatuses, taskStatusLabel } from './task-status.ts'

const now = new Date('2026-11-20T18:00:00Z')
const task = (id: string, daysAgo: number) => ({
  id,
  completed_at: new Date(now.getTime() - daysAgo * 86_400_000).toISOString(),
})

describe('the cleanup of completed tasks', () => {
  test('deletes tasks completed more than 7 days ago, and keeps a task completed exactly 7 days ago', () => {
    expect(tasksToCleanUp([task('a', 1), task('b', 7), task('c', 7.001)], now)).toEqual(['c'])
  })

  test('keeps the 10 tasks completed last, whatever their order in the input', () => {
    const twelve = Array.from({ length: 12 }, (_, index) =>
      task(`t${index}`, ((index * 5) % 12) / 3),
    )
    const removed = tasksToCleanUp(twelve, now)
    expect(removed).toHaveLength(2)
    const ages = new Map(twelve.map(({ id, completed_at }) => [id, completed_at]))
    const newestRemoved =
      removed
        .map((id) => ages.get(id) ?? '')
        .sort()
        .at(-1) ?? ''
    const remaining = twelve.filter(({ id }) => !removed.includes(id))
    expect(remaining.every(({ completed_at }) => completed_at > newestRemoved)).toBe(true)
  })

  test('deletes nothing when there are no tasks', () => {
    expect(tasksToCleanUp([], now)).toEqual([])
  })
})

describe('a task', () => {
  test('can be started, completed or reopened with one click, depending on its status', () => {
    expect(taskStatuses.map(({ value }) => quickTransition(value)?.label)).toEqual([
      'Start Task',
      'Mark Complete',
      undefined,
      undefined,
      undefined,
      'Reopen Task',
      undefined,
    ])
  })

  test('shows the label of its status, and shows an unknown status unchanged', () => {
    expect(taskStatusLabel('waiting_on_parts')).toBe('Waiting on Parts')
    expect(taskStatusLabel('parked')).toBe('parked')
  })

  test('can be marked ready for pickup only once, and only when it is completed', () => {
    expect(canBeMarkedReady({ status: 'completed', ready_for_pickup_at: null })).toBe(true)
    expect(canBeMarkedReady({ status: 'completed', ready_for_pickup_at: 'then' })).toBe(false)
    expect(canBeMarkedReady({ status: 'on_hold', ready_for_pickup_at: null })).toBe(false)
  })
})

describe('a duration', () => {
  test('is formatted in a long and in a short form', () => {
    expect([75, 120, 60, 45, 61].map(formatDuration)).toEqual([
      '1 hour and 15 minutes',
      '2 hours',
      '1 hour',
      '45 minutes',
      '1 hour and 1 minute',
    ])
    expect([90, 60, 45].map(formatShortDuration)).toEqual(['1 hr 30 min', '1 hr', '45 min'])
  })
})
