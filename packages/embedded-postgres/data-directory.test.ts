import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { claimDataDirectory } from './data-directory.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'torque-claim-'))
  folders.push(folder)
  return folder
}

describe('claiming a data directory', () => {
  it('marks an empty folder, and recognises it the next time', () => {
    const folder = makeFolder()
    claimDataDirectory(folder)
    writeFileSync(join(folder, 'postgresql.log'), 'ready\n')
    claimDataDirectory(folder)
    expect(readFileSync(join(folder, 'torque-and-timing.json'), 'utf8')).toBe('{"layout":1}\n')
  })

  it('can be repeated after a start that died while it wrote the marker', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'torque-and-timing.json.4711'), '{"lay')
    claimDataDirectory(folder)
    expect(readFileSync(join(folder, 'torque-and-timing.json'), 'utf8')).toBe('{"layout":1}\n')
  })
})
