import { expect, it } from 'vitest'
import { lastCopyExpiresOn } from './last-copy.ts'

it('the last backup copy with erased data is deleted in the night after the next copy has become BACKUP_KEEP_DAYS old', () => {
  const on = (keepDays: number, isNightly = false) =>
    lastCopyExpiresOn('2026-11-24', { keepDays, isNightly })
  expect([on(30), on(1), on(14)]).toEqual(['2026-12-27', '2026-11-28', '2026-12-11'])
  expect([on(30, true), on(1, true)]).toEqual(['2026-12-26', '2026-11-27'])
})
