import { describe, expect, it } from 'vitest'
import type { StoredCopy } from './inventory.ts'
import { chooseIncarnation, lineageOf } from './lineage.ts'

type Given = { from: number; to: number; of?: string; separated?: number }

/**
 * Returns the stored objects of an incarnation (backup history). Its first base backup ended at `from`. Its process
 * last renewed the claim (the record that reserves its folder at the target) at `to`.
 */
function copyOf(id: string, { from, to, of: parent, separated = from }: Given): StoredCopy {
  const origin = parent && {
    folder: `7/1-${parent}/`,
    recoveredMs: separated,
    separatedMs: separated,
  }
  return {
    incarnation: { systemId: '7', timeline: 1, id },
    folder: `7/1-${id}/`,
    bases: [{ name: `${id} base`, base: 1, endedMs: from }],
    segments: [],
    files: [],
    claim: { token: id, atMs: to, ...(origin && { origin }) },
  }
}

const shop = copyOf('shop', { from: 100, to: 900 })
const testRestore = copyOf('test', { from: 500, to: 950, of: 'shop' })
const idOf = (copies: readonly StoredCopy[], atMs: number | undefined) =>
  chooseIncarnation(copies, atMs)?.incarnation.id

describe('the incarnation (one continuous backup history of a shop) that a restore uses', () => {
  it('is the original shop, not its test restore, for a moment at which both were running', () => {
    expect(idOf([testRestore, shop], 700)).toBe('shop')
    expect(idOf([testRestore, shop], 900)).toBe('shop')
  })

  it('is the restored shop for a moment at which the original shop was no longer running', () => {
    expect(idOf([testRestore, shop], 901)).toBe('test')
  })

  it('is the earlier incarnation for a moment before the first base backup of the later one', () => {
    const burnt = copyOf('burnt', { from: 100, to: 400 })
    const restored = copyOf('restored', { from: 500, to: 900, of: 'burnt' })
    expect(idOf([burnt, restored], 450)).toBe('burnt')
    expect(idOf([burnt, restored], 600)).toBe('restored')
    expect(idOf([burnt, restored], 99)).toBeUndefined()
  })

  it('is the incarnation with the newest data when no moment is given', () => {
    expect(idOf([shop, testRestore], undefined)).toBe('test')
    const idle = copyOf('idle', { from: 700, to: 700 })
    expect(idOf([shop, testRestore, idle], undefined)).toBe('idle')
  })

  it('is found even if the recorded origins form a cycle', () => {
    const [a, b] = [
      copyOf('a', { from: 1, to: 9, of: 'b' }),
      copyOf('b', { from: 2, to: 9, of: 'a' }),
    ]
    expect(idOf([a, b], 2)).toBeDefined()
    expect(lineageOf([a, b], a, false)).toHaveLength(2)
  })
})

describe('the lineage of an incarnation (all backup histories that belong to the same shop)', () => {
  const folders = (copies: readonly StoredCopy[], chosen: StoredCopy, isExact = false) =>
    lineageOf(copies, chosen, isExact).map(({ folder }) => folder)

  it('does not contain a test restore that stopped before the original shop', () => {
    const ended = copyOf('ended', { from: 500, to: 800, of: 'shop' })
    expect(folders([shop, ended], shop)).toEqual(['7/1-shop/'])
  })

  it('contains the incarnations that continued the shop, one after the other', () => {
    const second = copyOf('second', { from: 1000, to: 1500, of: 'shop' })
    const third = copyOf('third', { from: 1600, to: 2000, of: 'second' })
    const all = [shop, second, third]
    expect(folders(all, shop)).toEqual(['7/1-shop/', '7/1-second/', '7/1-third/'])
    expect(folders(all, shop, true)).toEqual(['7/1-shop/'])
  })

  it('contains, for a test restore, the original shop up to the moment at which the test restore separated from it', () => {
    expect(lineageOf([shop, testRestore], testRestore, true)).toEqual([
      { folder: '7/1-shop/', untilMs: 500 },
      { folder: '7/1-test/', untilMs: undefined },
    ])
  })
})
