import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { moveIntoPlace } from './empty-folder.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'torque-empty-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a restore that was interrupted before it wrote the marker file leaves the backup key, but no valid data directory', async () => {
  const aside = join(folder, '.restoring')
  for (const path of ['files/keys', 'files/outbox', 'postgresql'])
    mkdirSync(join(aside, path), { recursive: true })
  writeFileSync(join(aside, 'files', 'keys', 'backup.key'), 'the key')
  // An existing folder at the path of the PostgreSQL cluster makes the restore fail before its last step.
  mkdirSync(join(folder, 'postgresql', 'cluster'), { recursive: true })
  await expect(moveIntoPlace(aside, folder)).rejects.toThrow('ENOTEMPTY')
  expect(existsSync(join(folder, 'keys', 'backup.key'))).toBe(true)
  expect(existsSync(join(folder, 'torque-and-timing.json'))).toBe(false)
})
