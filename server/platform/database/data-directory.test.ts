import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

describe('claimDataDirectory', () => {
  it('marks an empty folder and accepts the marked folder the next time', () => {
    const folder = makeFolder()
    claimDataDirectory(folder)
    writeFileSync(join(folder, 'postgresql.log'), 'ready\n')
    claimDataDirectory(folder)
    expect(readFileSync(join(folder, 'torque-and-timing.json'), 'utf8')).toBe('{"layout":1}\n')
  })

  it('accepts a folder in which an earlier start crashed while it wrote the marker', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'torque-and-timing.json.4711'), '{"lay')
    claimDataDirectory(folder)
    expect(readFileSync(join(folder, 'torque-and-timing.json'), 'utf8')).toBe('{"layout":1}\n')
  })

  it.each([
    ['other files', 'thesis.odt', 'x', /contains other files \(thesis\.odt\)/],
    ['a newer layout', 'torque-and-timing.json', '{"layout":2}', /newer version of the site/],
    ['a damaged marker', 'torque-and-timing.json', '{"lay', /is damaged/],
  ])('refuses a folder with %s and does not change the folder', (_, name, content, message) => {
    const folder = makeFolder()
    writeFileSync(join(folder, name), content)
    expect(() => claimDataDirectory(folder)).toThrow(message)
    expect(readdirSync(folder)).toEqual([name])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
  })

  it('refuses a path that is a file', () => {
    const file = join(makeFolder(), 'data')
    writeFileSync(file, 'x')
    expect(() => claimDataDirectory(file)).toThrow(/cannot be used/)
  })
})
