/*
 * A sales tax rate is a whole number of ten-thousandths of a percent: 9.125 % is 91250. These functions parse the
 * entered text digit by digit, like an amount of money.
 */

/** The highest sales tax rate that the settings accept: 30 %. */
const maximumRate = 300_000

/**
 * Parses a percentage to a sales tax rate: '9.125' → 91250; undefined when the text is not a number, has more than
 * four decimals, or is above 30 %.
 */
export function parseRate(input: string): number | undefined {
  const text = input.trim().replace(/\s*%$/, '')
  const [matched, whole = '', fraction = ''] = /^(\d{0,2})(?:\.(\d{0,4}))?$/.exec(text) ?? []
  if (matched === undefined || whole + fraction === '') return undefined
  const rate = Number(whole || '0') * 10_000 + Number(fraction.padEnd(4, '0'))
  return rate <= maximumRate ? rate : undefined
}

/** Formats a sales tax rate as a percentage: 91250 → '9.125', 80000 → '8'. */
export function formatRate(rate: number): string {
  return String(rate / 10_000)
}
