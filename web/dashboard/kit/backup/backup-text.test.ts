import { describe, expect, it } from 'vitest'
import type { Backup, Drill } from '#contracts/backup.ts'
import {
  backupProblem,
  describeDrill,
  formatBytes,
  formatSeconds,
  lostSeconds,
  missingProtection,
} from './backup-text.ts'

const proven: Drill = {
  endedAt: '2026-11-24T11:10:00Z',
  outcome: 'proven',
  reason: null,
  restoredSeconds: 72,
  tables: 41,
  rows: 18_204,
  files: 1_204,
  checkedFiles: 200,
  differing: [],
  object: null,
}
const backup: Backup = {
  state: 'ok',
  target: 's3://torque-timing-backup',
  isOnSameDisk: false,
  isNightly: false,
  protectedUntil: '2026-11-24T20:00:00Z',
  waitingMegabytes: 0,
  problem: null,
  brokenSince: null,
  lastFullCopyAt: '2026-11-24T11:00:00Z',
  targetBytes: 3_100_000_000,
  keepDays: 30,
  drillAt: '03:10',
  key: { fingerprint: '7F3A 91C4 22D8', confirmedAt: '2026-11-02T20:00:00Z', confirmedBy: 'lena' },
  drills: [proven],
  runningDrill: null,
  pausedEmails: null,
}
const failed: Drill = { ...proven, outcome: 'not_drilled', reason: 'full' }

describe('the texts about the backup', () => {
  it('contain no warning for a fresh and proven backup', () => {
    expect([backupProblem(backup), missingProtection(backup)]).toEqual([undefined, undefined])
  })

  it.each<[string, Partial<Backup>]>([
    ['The target is full.', { state: 'failed', drills: [failed, proven] }],
    [
      'The copy differs: public.payments.',
      { drills: [{ ...proven, outcome: 'differs', differing: ['public.payments'] }] },
    ],
    [
      'The copy differs: files (7/1-a/files/0000000012).',
      {
        drills: [
          { ...proven, outcome: 'differs', differing: ['files'], object: '7/1-a/files/0000000012' },
        ],
      },
    ],
    [
      'The folder cannot be used (ENOENT).',
      { state: 'failed', problem: { message: 'The folder cannot be used (ENOENT).', since: '' } },
    ],
    [
      'Backups have stopped: changes since Dec 3, 9:10 AM are only on this machine.',
      { brokenSince: '2026-12-03T17:10:00Z' },
    ],
  ])('name the problem: %s', (text, change) => {
    expect(backupProblem({ ...backup, ...change })).toBe(text)
  })

  it.each<[RegExp, Partial<Backup>]>([
    [/not set up/, { state: 'off' }],
    [/on the disk of the shop/, { isOnSameDisk: true }],
    [/only key/, { key: { fingerprint: '', confirmedAt: null, confirmedBy: null } }],
    [/not protected yet/, { drills: [] }],
  ])('name what is missing: %s', (text, change) => {
    expect(missingProtection({ ...backup, ...change })).toMatch(text)
  })

  it('state how much a drill compared, how many seconds of changes would be lost, and sizes', () => {
    expect(describeDrill(proven)).toBe(
      '41 tables, 18,204 rows, ledger to the cent, 200 of 1,204 files',
    )
    expect(lostSeconds(backup, Date.parse('2026-11-24T20:00:41Z'))).toBe(41)
    expect(lostSeconds({ ...backup, protectedUntil: null }, 0)).toBeUndefined()
    expect([41, 72, 180, 10_800].map(formatSeconds)).toEqual(['41 s', '1 min 12 s', '3 min', '3 h'])
    expect([12_000, 820_000_000, 3_100_000_000].map(formatBytes)).toEqual([
      '1 MB',
      '820 MB',
      '3.1 GB',
    ])
  })
})
