import { describe, expect, it } from 'vitest'
import { judgeDependency, listDependencies } from './dependencies.ts'

const locked = (version: string) => ({ version, integrity: `sha512-${version}` })

describe('listDependencies', () => {
  it('returns direct dependencies of every kind and each overridden package, and no indirect dependencies', () => {
    const found = listDependencies(
      [
        {
          dependencies: { b: '2.0.0', '@local/e': '1.0.0' },
          devDependencies: { a: '1.0.0' },
          overrides: { deep: '4.0.0' },
        },
        { dependencies: { b: '2.0.0' }, optionalDependencies: { '@x/c': '3.0.0' } },
      ],
      {
        '': {},
        'node_modules/@local/e': { resolved: 'packages/e', link: true },
        'node_modules/a': locked('1.0.0'),
        'node_modules/b': locked('2.0.0'),
        'node_modules/@x/c': locked('3.0.0'),
        'node_modules/deep': locked('4.0.0'),
        'node_modules/b/node_modules/deep': locked('4.0.1'),
        'node_modules/other': locked('5.0.0'),
      },
    )
    const named = found.map(({ name, version, integrity }) => `${name}@${version} ${integrity}`)
    expect(named).toEqual([
      '@x/c@3.0.0 sha512-3.0.0',
      'a@1.0.0 sha512-1.0.0',
      'b@2.0.0 sha512-2.0.0',
      'deep@4.0.0 sha512-4.0.0',
      'deep@4.0.1 sha512-4.0.1',
    ])
  })
})

describe('judgeDependency', () => {
  const now = Date.parse('2026-11-24T12:00:00Z')
  const judge = (at: string | undefined, integrity: string | undefined, keys: string[] = []) =>
    judgeDependency({ name: 'a', version: '1.0.0', integrity }, { at, keys }, now)

  it('describes a package in one line with its version, age and signature', () => {
    const { line, problems } = judge('2026-11-17T12:00:00Z', 'sha512-x', ['SHA256:key'])
    expect(line.split(/ {2,}/)).toEqual([
      'a',
      '1.0.0',
      '7 days',
      'signature: signed with SHA256:key',
    ])
    expect(problems).toEqual([])
    expect(judge('2026-11-17T12:00:00Z', 'sha512-x').line).toMatch(
      /: not offered by this registry$/,
    )
  })

  it.each([
    ['2026-11-17T12:00:01Z', 'sha512-x', 'a@1.0.0 is younger than 7 days.'],
    ['2026-01-01T00:00:00Z', undefined, 'a@1.0.0 has no integrity in the lockfile.'],
    [undefined, 'sha512-x', 'a@1.0.0 has no date in the registry.'],
  ])(
    'refuses a package that was published at %s and has the integrity %s',
    (at, integrity, problem) => {
      expect(judge(at, integrity).problems).toEqual([problem])
    },
  )
})
