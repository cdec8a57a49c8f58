import { expect, test } from 'vitest'
import { splitNameLines } from './split-name-lines.ts'

test.each([
  ['Bo', ['Bo']],
  ['Torque & Timing', ['Torque', '& Timing']],
  [
    'Northside Brake and Transmission Specialists',
    ['Northside', 'Brake and', 'Transmission', 'Specialists'],
  ],
  ['Kraftfahrzeugmeisterbetrieb', ['Kraftfahrzeugmeisterbetrieb']],
  ['', ['']],
])('the name "%s" is split into the lines %j', (name, lines) =>
  expect(splitNameLines(name)).toEqual(lines),
)
