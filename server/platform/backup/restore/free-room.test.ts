import { describe, expect, it } from 'vitest'
import { StartupError } from '@local/postgres'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { clusterRoom, filesRoom, isDiskFull, logicalRoom } from './free-room.ts'

const segment = (bytes: number) => ({ name: '', segment: '', archivedMs: 0, bytes })
const file = { number: 1, parts: 1, bytes: 100, sha256: '', changedMs: 0 }
const stored = (number: number, bytes: number) => ({ name: '', number, bytes })

describe('the disk space that a restore needs', () => {
  it('is the size of the database cluster plus twice the unpacked write-ahead log, plus a fifth of the sum', () => {
    const manifest = { clusterBytes: 1_000_000 } as BaseManifest
    expect(clusterRoom({ manifest, segments: [] })).toBe(1_200_000)
    // The object of an almost empty log segment is small; the object of a full segment has at most 16 MB.
    const segments = [segment(100_000), segment(9_000_000)]
    const log = 1_000_000 + 16 * 1024 * 1024
    expect(clusterRoom({ manifest, segments })).toBeCloseTo((1_000_000 + 2 * log) * 1.2)
  })

  it('includes the shop’s files in the base backup and in later copies', () => {
    const manifest = { files: { a: file, b: file }, nextFile: 3 }
    expect(filesRoom(manifest, { files: [stored(2, 900), stored(3, 50)] })).toBeCloseTo(250 * 1.2)
  })

  it('is three times the size of the rows in a nightly backup, plus the size of an empty database', () => {
    expect(logicalRoom({ bytes: 0 })).toBeCloseTo(100 * 1024 * 1024 * 1.2)
    expect(logicalRoom({ bytes: 1e9 }) - logicalRoom({ bytes: 0 })).toBeCloseTo(3.6e9)
  })
})

it('a restore recognizes a full disk by the error code of the site’s process or by the message of PostgreSQL', () => {
  expect(isDiskFull(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe(true)
  expect(isDiskFull(new StartupError('FATAL: could not write: No space left on device'))).toBe(true)
  expect([new Error('write'), new StartupError('PANIC'), undefined].map(isDiskFull)).toEqual([
    false,
    false,
    false,
  ])
})
