import { describe, expect, it } from 'vitest'
import { createFreshness } from './freshness.ts'

const [first, second, third] = ['A1', 'A2', 'A3']
const reading = (atMs: number, segment: string, transactions: string) => ({
  atMs,
  segment,
  transactions,
})

describe('the moment up to which the target has every change', () => {
  it('is unknown before the first segment of the write-ahead log is sent', () => {
    const freshness = createFreshness()
    freshness.note(reading(1_000, first, '5'), undefined)
    expect(freshness.protectedMs()).toBeUndefined()
    freshness.note(reading(6_000, first, '5'), first)
    expect(freshness.protectedMs()).toBeUndefined()
  })

  it('is the newest time at which the log position was within a sent segment, and advances even without changes', () => {
    const freshness = createFreshness()
    freshness.note(reading(1_000, first, '5'), first)
    freshness.note(reading(6_000, first, '6'), first)
    freshness.note(reading(11_000, second, '7'), second)
    expect(freshness.protectedMs()).toBe(6_000)
    freshness.note(reading(16_000, third, '7'), third)
    expect(freshness.protectedMs()).toBe(16_000)
    freshness.note(reading(900_000, third, '7'), third)
    expect(freshness.protectedMs()).toBe(900_000)
    expect(freshness.needsHeartbeat(900_000)).toBe(false)
  })

  it('does not advance when a log segment ended right after the last change, until another record is written to the log', () => {
    const freshness = createFreshness()
    freshness.note(reading(1_000, first, '5'), first)
    freshness.note(reading(6_000, second, '6'), second)
    expect([freshness.protectedMs(), freshness.needsHeartbeat(50_000)]).toEqual([1_000, false])
    freshness.note(reading(100_000, second, '6'), second)
    expect([freshness.protectedMs(), freshness.needsHeartbeat(100_000)]).toEqual([1_000, true])
  })
})
