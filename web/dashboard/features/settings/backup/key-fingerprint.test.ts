import { expect, it } from 'vitest'
import { readFingerprint } from './key-fingerprint.ts'

it('the browser computes the same fingerprint as the server for a key, even with whitespace around the key', async () => {
  const key = 'a-key-of-the-backup-with-43-characters-0123'
  const fingerprints = [key, `${key}\n`, `  ${key}\r\n`].map((text) =>
    readFingerprint(new Blob([text])),
  )
  expect(new Set(await Promise.all(fingerprints))).toEqual(new Set(['252F D0CE C784']))
  expect(await readFingerprint(new Blob([`${key}4`]))).not.toBe('252F D0CE C784')
})
