import { linkOptions } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { dayLink } from './links.ts'

test('a link to the day view contains its date and its booking', () => {
  expect(dayLink('2026-11-24', 'id')).toEqual({
    to: '/day/{-$date}',
    params: { date: '2026-11-24' },
    search: { booking: 'id' },
  })
})

// No test calls this function. The type check fails if one of its links compiles without an error.
export function findCompileErrors() {
  // @ts-expect-error: no view has this path
  linkOptions({ to: '/nothing' })
  // @ts-expect-error: the id of the customer is missing
  linkOptions({ to: '/customers/$id' })
  // @ts-expect-error: the tasks have no such search parameter
  linkOptions({ to: '/tasks', search: { unknown: 'x' } })
}
