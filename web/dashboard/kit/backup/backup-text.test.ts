import { describe, expect, it } from 'vitest'
import type { Backup, Drill } from '#contracts/backup.ts'
import {
  backupProblem,
  describeDrill,
  describeProtection,
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
  isHosted: false,
  isNightly: false,
  isProven: true,
  badNights: 0,
  protectedUntil: '2026-11-24T20:00:00Z',
  waitingMegabytes: 0,
  waitingLimitMegabytes: 2000,
  problem: null,
  brokenSince: null,
  lostPeriods: [],
  lastFullCopyAt: '2026-11-24T11:00:00Z',
  skippedFiles: [],
  skippedFileCount: 0,
  restorableSince: '2026-10-25T10:00:07Z',
  targetBytes: 3_100_000_000,
  keepDays: 30,
  isDeletionRefused: false,
  drillAt: '03:10',
  key: { fingerprint: '7F3A 91C4 22D8', confirmedAt: '2026-11-02T20:00:00Z', confirmedBy: 'lena' },
  drills: [proven],
  runningDrill: null,
  pausedEmails: null,
  areNumbersUnchecked: false,
}
/**
 * The current time in the tests, 41 seconds after the newest change that the storage target of the backup has received.
 */
const nowMs = Date.parse('2026-11-24T20:00:41Z')
const failed: Drill = { ...proven, outcome: 'not_drilled', reason: 'full' }

describe('the texts about the backup', () => {
  it('contain no warning if the backup is recent and a restore drill has proven it', () => {
    expect([backupProblem(backup), missingProtection(backup, nowMs)]).toEqual([undefined, []])
  })

  it.each<[string, Partial<Backup>]>([
    ['The target is full.', { state: 'failed', drills: [failed, proven] }],
    [
      'The newest nightly backup is missing at the target (7/0-a/base/00000002/manifest-00001764000000).',
      {
        drills: [
          {
            ...failed,
            reason: 'newest backup missing',
            object: '7/0-a/base/00000002/manifest-00001764000000',
          },
        ],
      },
    ],
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
      'The backup folder cannot be used (ENOENT).',
      {
        state: 'failed',
        problem: {
          kind: 'unreachable',
          message: 'The backup folder cannot be used (ENOENT).',
          since: '2026-11-24T19:46:00Z',
        },
      },
    ],
    ['No proven backup for 2 nights', { badNights: 2, drills: [failed, failed, proven] }],
  ])('name the problem: %s', (title, change) => {
    expect(backupProblem({ ...backup, ...change })?.title).toBe(title)
  })

  it('state since when changes exist only on this machine, and that a new full copy follows when the target responds', () => {
    const brokenSince = '2026-12-03T17:10:00Z'
    const problem = { kind: 'full', message: 'The target is full.', since: brokenSince } as const
    const onlyHere =
      'The shop keeps working. Changes since Dec 3, 9:10 AM are only on this machine.'
    expect(backupProblem({ ...backup, state: 'failed', brokenSince, problem })).toEqual({
      title: 'Backups have stopped: at most 2.0 GB of changes can wait on this machine.',
      text: `${onlyHere} A new full copy is made when the target answers.`,
    })
    expect(backupProblem({ ...backup, state: 'late', brokenSince })).toEqual({
      title: 'A new full copy of the database is being made.',
      text: onlyHere,
    })
  })

  it.each<[RegExp, Partial<Backup>]>([
    [/not set up/, { state: 'off' }],
    [/Only the backups of Supabase/, { state: 'off', isHosted: true }],
    [/not protected yet: no restore drill/, { isProven: false, isNightly: true, isHosted: true }],
    [/records are on one disk/, { isOnSameDisk: true }],
    [/only key/, { key: { fingerprint: '', confirmedAt: null, confirmedBy: null } }],
    [/not protected yet: no restore drill/, { isProven: false }],
    [/not protected yet: a full copy/, { isProven: false, protectedUntil: null }],
    [/changes of the last 3 min/, { state: 'late', protectedUntil: '2026-11-24T19:57:41Z' }],
    [
      /not protected yet.* only key/,
      { isProven: false, key: { fingerprint: '', confirmedAt: null, confirmedBy: null } },
    ],
    [/No restore drill has run for two nights/, { state: 'late' }],
    [
      /lacks files of DATA_DIR: photos\/a\.jpg \(the site cannot read it\), b\.bin \(larger than 2 GiB\) and 10 more\./,
      {
        state: 'late',
        skippedFiles: [
          { path: 'photos/a.jpg', problem: 'unreadable' },
          { path: 'b.bin', problem: 'too large' },
        ],
        skippedFileCount: 12,
      },
    ],
  ])('name the missing step: %s', (text, change) => {
    expect(missingProtection({ ...backup, ...change }, nowMs).join(' ')).toMatch(text)
  })

  it('state when a restore drill last proved the backup, and the age of the newest change at the target or the size of the unsent changes', () => {
    const on = (date: string, change: Partial<Backup> = {}) =>
      describeProtection({ ...backup, ...change }, date, nowMs)
    expect(on('2026-11-24')).toBe(
      'Backup proven today, 3:10 AM. The newest change at the target is 41 s old.',
    )
    const problem = {
      kind: 'unreachable',
      message: 'No answer.',
      since: '2026-11-24T19:55:00Z',
    } as const
    expect(on('2026-11-25', { waitingMegabytes: 412, problem })).toBe(
      'Last proven backup Nov 24, 3:10 AM. 412 MB of changes wait on this machine.',
    )
  })

  it('state how many files a restore drill compared, and how many seconds of changes would be lost', () => {
    expect(describeDrill(proven)).toBe(
      '41 tables, 18,204 rows, ledger to the cent, 200 of 1,204 files',
    )
    expect(describeDrill({ ...proven, checkedFiles: 1_204 })).toMatch(/cent, all 1,204 files$/)
    expect(lostSeconds(backup, Date.parse('2026-11-24T20:00:41Z'))).toBe(41)
    expect(lostSeconds({ ...backup, protectedUntil: null }, 0)).toBeUndefined()
    expect([41, 72, 180, 10_800].map(formatSeconds)).toEqual(['41 s', '1 min 12 s', '3 min', '3 h'])
  })
})
