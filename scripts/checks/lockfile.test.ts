import { describe, expect, it } from 'vitest'
import { findLockfileProblems } from './lockfile.ts'

const integrity = 'sha512-x'

describe('the lockfile check', () => {
  it('reports a missing binary for another platform', () => {
    expect(
      findLockfileProblems({
        '': { dependencies: { lint: '1.0.0' } },
        'node_modules/lint': {
          integrity,
          optionalDependencies: { 'lint-linux': '1.0.0', 'lint-mac': '1.0.0' },
        },
        'node_modules/lint-linux': { integrity },
      }),
    ).toEqual(['lint-mac, which node_modules/lint depends on, is missing.'])
  })

  it('resolves nested packages as Node does', () => {
    expect(
      findLockfileProblems({
        '': { dependencies: { a: '1' } },
        'node_modules/a': { integrity, dependencies: { b: '1', c: '1' } },
        'node_modules/a/node_modules/b': { integrity, dependencies: { c: '1' } },
        'node_modules/c': { integrity },
      }),
    ).toEqual([])
  })

  it("accepts a linked workspace without a hash and checks the workspace's dependencies", () => {
    expect(
      findLockfileProblems({
        '': { dependencies: { '@local/a': '1.0.0' } },
        'node_modules/@local/a': { resolved: 'packages/a', link: true },
        'packages/a': { dependencies: { b: '1', c: '1' } },
        'node_modules/b': { integrity },
      }),
    ).toEqual(['c, which packages/a depends on, is missing.'])
  })

  it('refuses packages without a hash and packages from another registry', () => {
    expect(
      findLockfileProblems({
        '': {},
        'node_modules/a': {},
        'node_modules/b': { integrity, resolved: 'https://evil.example/b.tgz' },
      }),
    ).toHaveLength(2)
  })
})
