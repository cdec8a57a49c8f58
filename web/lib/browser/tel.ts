/** The link that calls a number, as somebody typed it: '(650) 555-0199' is 'tel:6505550199'. */
export function tel(number: string): string {
  return `tel:${number.replaceAll(/[^\d+]/g, '')}`
}
