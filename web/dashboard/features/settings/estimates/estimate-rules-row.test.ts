import { describe, expect, test } from 'vitest'
import { type EstimateRulesForm, estimateRulesRow, laborRateOf } from './estimate-rules-row.ts'

const form = (change: Partial<EstimateRulesForm> = {}): EstimateRulesForm => ({
  laborRate: '145.00',
  goodForDays: '14',
  registrationNumber: '',
  epaNumber: '',
  conditions: '',
  payerSentence: 'Ask the payer.',
  ...change,
})

describe('the settings of estimates', () => {
  test.each([
    ['145', 14_500],
    ['1,234.50', 123_450],
    ['164.95', 16_495],
    ['0', 0],
  ])('accepts %j as the labor rate of an hour', (laborRate, cents) => {
    expect(laborRateOf(form({ laborRate }))).toBe(cents)
    expect(estimateRulesRow.check(form({ laborRate }))).toEqual({})
  })

  test.each(['', 'ten', '-1', '815.955', '10000.01'])(
    'shows an error for the labor rate %j',
    (laborRate) => {
      expect(estimateRulesRow.check(form({ laborRate }))).toEqual({
        laborRate: 'Please enter a price in dollars and cents, up to 10,000.00.',
      })
    },
  )

  test('shows an error for an empty sentence about the third-party payer', () => {
    expect(estimateRulesRow.check(form({ payerSentence: ' ' }))).toHaveProperty('payerSentence')
  })

  test.each(['', '0', '366', '1.5', '1e2'])(
    'shows an error for an estimate validity of %j days',
    (goodForDays) => {
      expect(estimateRulesRow.check(form({ goodForDays }))).toHaveProperty('goodForDays')
    },
  )
})
