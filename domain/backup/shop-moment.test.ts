import { describe, expect, it } from 'vitest'
import { accepted, refused } from '#domain/result.ts'
import { formatShopMoment, parseShopMoment } from './shop-moment.ts'

const shop = 'America/Los_Angeles'
const at = (iso: string) => accepted(Date.parse(iso))

describe('a moment that the owner types', () => {
  it.each([
    ['2026-12-01 14:05', '2026-12-01T22:05:00Z'],
    ['2026-12-01 14:05:09', '2026-12-01T22:05:09Z'],
    ['2026-07-01T14:05:09', '2026-07-01T21:05:09Z'],
    ['2026-12-01 14:05:09 -07:00', '2026-12-01T21:05:09Z'],
    ['2026-12-01 14:05:09Z', '2026-12-01T14:05:09Z'],
    ['2026-12-01 14:05:09.125', '2026-12-01T22:05:09.125Z'],
  ])('is parsed in shop time unless it has a UTC offset: %s', (text, iso) => {
    expect(parseShopMoment(text, shop)).toEqual(at(iso))
  })

  it('is refused without a UTC offset in the hour that occurs twice when daylight-saving time ends', () => {
    expect(parseShopMoment('2026-11-01 01:30:00', shop)).toEqual(
      refused({
        code: 'AMBIGUOUS',
        moments: [Date.parse('2026-11-01T08:30:00Z'), Date.parse('2026-11-01T09:30:00Z')],
      }),
    )
    expect(parseShopMoment('2026-11-01 01:30:00 -07:00', shop)).toEqual(at('2026-11-01T08:30:00Z'))
    expect(parseShopMoment('2026-11-01 01:30:00 -08:00', shop)).toEqual(at('2026-11-01T09:30:00Z'))
    expect(parseShopMoment('2026-11-01 02:00:00', shop)).toEqual(at('2026-11-01T10:00:00Z'))
  })

  it('is refused in the hour that is skipped when daylight-saving time begins', () => {
    expect(parseShopMoment('2026-03-08 02:30', shop)).toEqual(refused({ code: 'SKIPPED' }))
  })

  it.each([
    'yesterday',
    '2026-13-01 10:00',
    '2026-02-30 10:00',
    '2026-12-01',
    '2026-12-01 25:00',
    '',
  ])('is refused when the text is not a date and time: %s', (text) =>
    expect(parseShopMoment(text, shop)).toEqual(refused({ code: 'INVALID' })),
  )

  it('is unchanged after it is formatted and parsed again', () => {
    for (const iso of ['2026-11-01T08:30:00Z', '2026-11-01T09:30:00Z', '2026-12-01T22:05:09Z']) {
      expect(parseShopMoment(formatShopMoment(Date.parse(iso), shop), shop)).toEqual(at(iso))
    }
    const exact = Date.parse('2026-12-01T22:05:09.025Z')
    expect(parseShopMoment(formatShopMoment(exact, shop, true), shop)).toEqual(accepted(exact))
    expect(formatShopMoment(exact, shop)).toBe('2026-12-01 14:05:09 -08:00')
    expect(formatShopMoment(Date.parse('2026-12-01T22:05:09Z'), shop, true)).toBe(
      '2026-12-01 14:05:09 -08:00',
    )
  })
})
