/**
 * Returns whether a text contains 13 to 19 digits, possibly separated by spaces or dashes, that begin with 2 to 6 and
 * pass the Luhn check. The database refuses the same texts (`internal.contains_card_number`).
 */
export function containsCardNumber(text: string): boolean {
  const runs = text.matchAll(/(?<!\d)(?:\d[ .-]?){13,19}(?!\d)/g)
  return [...runs].some(([run]) => isCardNumber(run.replace(/\D/g, '')))
}

const isCardNumber = (digits: string) => /^[2-6]\d{12,18}$/.test(digits) && passesLuhn(digits)

/** The check digit of a card number: ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}
