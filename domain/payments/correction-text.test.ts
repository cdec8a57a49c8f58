import { describe, expect, it } from 'vitest'
import { refundSentence, type RefundWay } from './correction-text.ts'

const sentence = (way?: RefundWay) => refundSentence('Torque & Timing', 8620, 'usd', way)
const sameWay = (method: string, reference: string | null = null) =>
  sentence({ method, reference, isSameWay: true })
const otherWay = (method: string, reference: string | null) =>
  sentence({ method, reference, isSameWay: false })

describe('the sentence about a refund', () => {
  it('names the payment method by which the money was returned', () => {
    expect(sameWay('card_online')).toBe(
      'Torque & Timing returns $86.20 to the card that you paid with. Your bank shows it in 5 to 10 days.',
    )
    expect(sameWay('card_terminal', '4417')).toContain('$86.20 to your card ending 4417. Your bank')
    expect(sameWay('cash')).toBe('Torque & Timing returns $86.20 to you in cash.')
    expect(sameWay('other', 'Zelle')).toContain('$86.20 to you by Zelle.')
    expect(otherWay('check', '2207')).toContain('$86.20 to you by check 2207.')
  })

  it('shows neither the check number of the payment nor the reason of the refund as the reference of the refund', () => {
    expect(sameWay('check', '1042')).toContain('$86.20 to you by check.')
    expect(otherWay('cash', 'The card was closed')).toContain('$86.20 to you in cash.')
    expect(otherWay('card_terminal', '4417')).toContain('$86.20 to your card.')
  })

  it('names no payment method when the refund uses several methods', () => {
    expect(sentence()).toContain('returns $86.20 to you. A refund to a card')
  })
})
