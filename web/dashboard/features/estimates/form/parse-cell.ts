import { estimateLimits } from '#contracts/estimates/estimates.ts'
import { type LineKind, parseThousandths } from '#domain/estimates/estimate-totals.ts'
import { maximumCents } from '#domain/money/money.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** The value of a cell as a whole number, or the reason why the typed text is invalid. */
export type ParsedCell = Result<number, string>

type Kind = { readonly kind: LineKind; readonly subtype: string }

/** Parses a typed number of hours, pieces or percent and returns thousandths: '1.2' → 1200, '' → 0. */
export function parseQuantity(input: string, { kind, subtype }: Kind): ParsedCell {
  if (input.trim() === '') return accepted(0)
  const isPercent = kind === 'discount' && subtype === 'percent'
  const quantityThousandths = parseThousandths(isPercent ? input.replace(/%\s*$/, '') : input)
  if (quantityThousandths === undefined) return refused(quantityText(kind, isPercent))
  if (isPercent && quantityThousandths > 100_000) return refused('A discount is at most 100%.')
  if (quantityThousandths > estimateLimits.quantityThousandths)
    return refused('The quantity can be at most 9,999.999.')
  return accepted(quantityThousandths)
}

function quantityText(kind: LineKind, isPercent: boolean): string {
  if (isPercent) return 'Enter a percentage from 0 to 100, for example 10 or 7.5.'
  const what = kind === 'labor' ? 'Hours are' : 'A quantity is'
  return `${what} a number of 0 or more with up to three decimals, for example 1.25.`
}

/**
 * The price of one hour or piece in cents: '145' → 14500, '' → 0. The price of a discount is the amount of the
 * reduction, which staff may type with a minus sign.
 */
export function parseUnitPrice(input: string, { kind }: Kind): ParsedCell {
  const text = input.replaceAll(/[\s$]/g, '').replaceAll(/,(?=\d{3}(?!\d))/g, '')
  const [, sign, amount = ''] = /^([-−]?)(.*)$/.exec(text) ?? []
  if (sign && kind !== 'discount')
    return refused('Enter an amount of 0 or more. Use a discount to lower the price.')
  if (amount === '') return accepted(0)
  const [matched, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(amount) ?? []
  if (matched === undefined || whole + fraction === '') {
    return refused('Enter an amount in dollars and cents, for example 68.49.')
  }
  if (fraction.length > 2) return refused(`Enter whole cents: ${amount} has a fraction of a cent.`)
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return cents <= maximumCents ? accepted(cents) : refused('The amount can be at most $999,999.99.')
}

/** A price in cents as an input field shows it: 14500 → '145.00'. */
export function formatUnitPrice(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
