import { expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'

it('writes sizes in megabytes or gigabytes, and less than a megabyte as one', () => {
  expect([12_000, 820_000_000, 3_100_000_000].map(formatBytes)).toEqual([
    '1 MB',
    '820 MB',
    '3.1 GB',
  ])
})
