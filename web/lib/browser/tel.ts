/** Returns the `tel:` link of a phone number in any notation: '(650) 555-0199' becomes 'tel:6505550199'. */
export function tel(number: string): string {
  return `tel:${number.replaceAll(/[^\d+]/g, '')}`
}
