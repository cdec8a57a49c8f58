import { expect, it } from 'vitest'
import { parseBackupKey } from './backup-key.ts'

it('gives a key file the fingerprint that the browser shows for it', () => {
  const { fingerprint } = parseBackupKey('a-key-of-the-backup-with-43-characters-0123\n')
  expect(fingerprint).toBe('252F D0CE C784')
})
