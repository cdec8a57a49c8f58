import { describe, expect, it } from 'vitest'
import { snapMinute, moveDropTarget } from './drop-target.ts'

const hours = { opensAtMinute: 11 * 60, closesAtMinute: 19 * 60 }
const grid = { columns: 4, hours }
const at = (column: number, startsAtMinute: number) => ({ column, startsAtMinute })

describe('the drop target of a dragged booking', () => {
  it('snaps to quarters of an hour within the opening hours', () => {
    expect(snapMinute(15 * 60 + 7, hours)).toBe(15 * 60)
    expect(snapMinute(15 * 60 + 8, hours)).toBe(15 * 60 + 15)
    expect(snapMinute(3 * 60, hours)).toBe(11 * 60)
    expect(snapMinute(23 * 60, hours)).toBe(18 * 60 + 45)
  })

  it('moves by arrow keys and stops at the first and the last column', () => {
    expect(moveDropTarget(at(1, 720), 'ArrowUp', grid)).toEqual(at(1, 705))
    expect(moveDropTarget(at(1, 720), 'ArrowDown', grid)).toEqual(at(1, 735))
    expect(moveDropTarget(at(0, 720), 'ArrowLeft', grid)).toEqual(at(0, 720))
    expect(moveDropTarget(at(2, 720), 'ArrowRight', grid)).toEqual(at(3, 720))
    expect(moveDropTarget(at(3, 720), 'ArrowRight', grid)).toEqual(at(3, 720))
    expect(moveDropTarget(at(1, 720), 'Enter', grid)).toBeUndefined()
  })
})
