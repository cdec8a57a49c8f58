import { expect, it } from 'vitest'
import { lastCopyExpiresOn } from './last-copy.ts'

it('the last copy of the database expires after the copies of the next night have been kept for BACKUP_KEEP_DAYS', () => {
  const on = (keepDays: number, isNightly = false) =>
    lastCopyExpiresOn('2026-11-24', { keepDays, isNightly })
  expect([on(30), on(1), on(14)]).toEqual(['2026-12-27', '2026-11-28', '2026-12-11'])
  expect([on(30, true), on(1, true)]).toEqual(['2026-12-26', '2026-11-27'])
})
