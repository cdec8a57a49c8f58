import { describe, expect, it } from 'vitest'
import { formatRate, parseRate } from './tax-rate.ts'

describe('parseRate', () => {
  it.each([
    ['9.125', 91_250],
    ['9.125 %', 91_250],
    [' 8 ', 80_000],
    ['.5', 5000],
    ['0', 0],
    ['30', 300_000],
  ])('parses %j as %i ten-thousandths of a percent', (input, rate) => {
    expect(parseRate(input)).toBe(rate)
  })

  it.each(['', '.', '9,125', '9.12345', '-1', '30.0001', '91', '1e1', 'nine'])(
    'returns undefined for the invalid text %j',
    (input) => {
      expect(parseRate(input)).toBeUndefined()
    },
  )

  it('returns the same rate for the formatted text of a rate', () => {
    for (let rate = 0; rate <= 300_000; rate += 1) {
      if (parseRate(formatRate(rate)) !== rate) expect(parseRate(formatRate(rate))).toBe(rate)
    }
    expect(formatRate(91_250)).toBe('9.125')
  })
})
