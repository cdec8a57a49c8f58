import { describe, expect, it } from 'vitest'
import { backupHealth } from './backup-health.ts'

const now = Date.parse('2026-12-01T20:00:00Z')
const secondsAgo = (seconds: number) => now - seconds * 1000
const proven = {
  protectedMs: secondsAgo(41),
  problemSinceMs: undefined,
  lastDrill: { endedMs: secondsAgo(9 * 3600), isProven: true },
  isSafe: true,
  isNightly: false,
  nowMs: now,
}

describe('the health of the backup', () => {
  it('is ok when the newest backup is recent and the last restore drill succeeded', () => {
    expect(backupHealth(proven)).toBe('ok')
  })

  it('is ok when the backup target stopped responding only a few minutes ago', () => {
    expect(backupHealth({ ...proven, problemSinceMs: secondsAgo(300) })).toBe('ok')
  })

  it('is ok for 26 hours after a nightly backup', () => {
    const nightly = { ...proven, isNightly: true }
    const at = (hours: number) =>
      backupHealth({ ...nightly, protectedMs: secondsAgo(hours * 3600) })
    expect([at(25), at(27)]).toEqual(['ok', 'late'])
  })

  it.each([
    ['before the first full copy', { protectedMs: undefined }],
    [
      'when a failure of the machine would lose more than two minutes of changes',
      { protectedMs: secondsAgo(121) },
    ],
    ['while the only key is on this machine', { isSafe: false }],
    ['before the first restore drill', { lastDrill: undefined }],
    [
      'when the last restore drill is more than two nights ago',
      { lastDrill: { endedMs: secondsAgo(51 * 3600), isProven: true } },
    ],
  ])('is late %s', (_when, change) => {
    expect(backupHealth({ ...proven, ...change })).toBe('late')
  })

  it.each([
    [
      'the target has stored nothing for more than ten minutes',
      { problemSinceMs: secondsAgo(601) },
    ],
    ['the last restore drill failed', { lastDrill: { endedMs: secondsAgo(60), isProven: false } }],
  ])('is failed when %s', (_when, change) => {
    expect(backupHealth({ ...proven, ...change })).toBe('failed')
  })
})
