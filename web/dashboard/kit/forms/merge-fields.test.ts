import { describe, expect, test } from 'vitest'
import { isSame, mergeFields } from './merge-fields.ts'

const base = { name: 'Torque', phone: '0142', isPaused: false, bays: ['1', '2'] }
type Values = typeof base
const merge = (mine: Partial<Values>, theirs: Partial<Values>) =>
  mergeFields(base, { ...base, ...mine }, { ...base, ...theirs })

describe('merging the fields of two versions', () => {
  test('changes nothing when neither version changed a field', () => {
    expect(merge({}, {})).toEqual({ values: base, overlaps: [] })
  })

  test('uses the value of the only version that changed a field', () => {
    expect(merge({ name: 'Timing' }, { phone: '0188' })).toEqual({
      values: { ...base, name: 'Timing', phone: '0188' },
      overlaps: [],
    })
  })

  test('keeps the typed value where both versions changed a field, and names the field', () => {
    expect(merge({ phone: '0155', name: 'Timing' }, { phone: '0188' })).toEqual({
      values: { ...base, name: 'Timing', phone: '0155' },
      overlaps: ['phone'],
    })
  })

  test('reports no overlap where both versions made the same change', () => {
    expect(merge({ phone: '0188' }, { phone: '0188' }).overlaps).toEqual([])
  })

  test('uses the value of the only version that changed a field, even if this value is an empty text, an empty list or false', () => {
    const { values } = merge({ name: 'Timing' }, { phone: '', isPaused: true, bays: [] })
    expect(values).toEqual({ name: 'Timing', phone: '', isPaused: true, bays: [] })
  })

  test('reports an overlap where one version emptied a field that the other changed', () => {
    expect(merge({ phone: '' }, { phone: '0188' })).toMatchObject({
      values: { phone: '' },
      overlaps: ['phone'],
    })
  })

  test('compares lists by their content', () => {
    expect(merge({ bays: ['1', '2'] }, { bays: ['2'] })).toMatchObject({
      values: { bays: ['2'] },
      overlaps: [],
    })
    expect(merge({ bays: ['1'] }, { bays: ['2'] }).overlaps).toEqual(['bays'])
  })

  test('merges the parts of a field separately if the field has a merge function', () => {
    const merges = {
      bays: (_: string[], mine: string[], theirs: string[]) => ({
        value: [...mine, ...theirs],
        isOverlap: mine.includes('x'),
      }),
    }
    const withBays = (bays: string[]) => ({ ...base, bays })
    expect(mergeFields(base, withBays(['3']), withBays(['4']), merges)).toEqual({
      values: withBays(['3', '4']),
      overlaps: [],
    })
    expect(mergeFields(base, withBays(['x']), withBays(['4']), merges).overlaps).toEqual(['bays'])
    // Only one of the two versions changed the list, so `mergeFields` must not call the merge function of the list.
    expect(mergeFields(base, withBays(['3']), base, merges).values.bays).toEqual(['3'])
  })
})

test.each([
  [{ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 }, true],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  ['1', 1, false],
])('the comparison of %j and %j by content returns %s', (one, other, expected) => {
  expect(isSame(one, other)).toBe(expected)
})
