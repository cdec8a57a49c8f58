/**
 * Returns whether a PIN of a shared tablet is acceptable: 4 to 6 digits that are neither all the same nor consecutive,
 * because attackers try '1111', '1234' and '4321' first.
 */
export function isGoodPin(pin: string): boolean {
  if (!/^[0-9]{4,6}$/.test(pin)) return false
  const digits = Array.from(pin, Number)
  const steps = digits.slice(1).map((digit, index) => digit - (digits[index] ?? 0))
  const [first] = steps
  const isRegular = steps.every((step) => step === first)
  return !(isRegular && (first === 0 || first === 1 || first === -1))
}
