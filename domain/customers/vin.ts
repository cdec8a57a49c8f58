/**
 * The number that each character of a vehicle identification number (VIN) contributes to the check digit (49 CFR
 * 565.15). The letters I, O and Q are not allowed in a VIN.
 */
const values = new Map(
  Array.from('ABCDEFGHJKLMNPRSTUVWXYZ', (letter, index) => [
    letter,
    Number('12345678123457923456789'[index]),
  ]),
)
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
const checkDigitIndex = 8

/** An entered vehicle identification number without spaces and hyphens, in upper case. */
export const cleanVin = (input: string) => input.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * Returns whether a cleaned vehicle identification number has 17 characters and a correct check digit, its ninth
 * character (docs/product.md 16.2).
 */
export function isVin(vin: string): boolean {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return false
  const sum = Array.from(vin).reduce(
    (total, character, index) =>
      total + (values.get(character) ?? Number(character)) * (weights[index] ?? 0),
    0,
  )
  const remainder = sum % 11
  return vin[checkDigitIndex] === (remainder === 10 ? 'X' : String(remainder))
}
