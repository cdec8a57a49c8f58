import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'

it('formats sizes in megabytes or gigabytes, and sizes below one megabyte as 1 MB', () => {
  expect([12_000, 820_000_000, 3_100_000_000].map(formatBytes)).toEqual([
    '1 MB',
    '820 MB',
    '3.1 GB',
  ])
})
