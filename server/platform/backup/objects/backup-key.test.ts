import { expect, it } from 'vitest'
import { parseBackupKey } from './backup-key.ts'

it('the server computes the same fingerprint of a backup key file as the browser', () => {
  const { fingerprint } = parseBackupKey('a-key-of-the-backup-with-43-characters-0123\n')
  expect(fingerprint).toBe('252F D0CE C784')
})
