/* Filters for text that an unverified visitor entered about a vehicle. The visitor can enter any recipient's address,
   so the email must contain no message from the visitor (docs/decisions/0014-emails-visitors-can-trigger.md). */

const longestModel = 24
const mostWords = 3
const mostDigits = 5
const modelWord = /^[\p{Script=Latin}\d-]+$/u

/**
 * Returns a vehicle model of at most three words of letters, digits and hyphens ('CX-5 Grand Touring'); '' for any
 * other text.
 */
export function harmlessModel(model: string): string {
  const words = model.normalize('NFC').trim().split(/\s+/)
  const text = words.join(' ')
  const isModel =
    text.length <= longestModel &&
    words.length <= mostWords &&
    words.every((word) => modelWord.test(word)) &&
    text.replaceAll(/\D/g, '').length <= mostDigits
  return isModel ? text : ''
}

const knownTones = new Set(['dark', 'light', 'metallic', 'pearl', 'matte'])
const knownColors = new Set([
  'beige',
  'black',
  'blue',
  'bronze',
  'brown',
  'burgundy',
  'champagne',
  'charcoal',
  'copper',
  'cream',
  'gold',
  'gray',
  'green',
  'grey',
  'maroon',
  'navy',
  'orange',
  'pink',
  'purple',
  'red',
  'silver',
  'tan',
  'teal',
  'turquoise',
  'white',
  'yellow',
])

/** Returns a color that consists of known words, in lower case: 'dark blue'; '' for any other text. */
export function knownColor(color: string): string {
  const words = color.toLowerCase().trim().split(/\s+/)
  const shades = words.filter((word) => !knownTones.has(word))
  const isColor = words.length <= 3 && shades.length === 1 && knownColors.has(shades[0] ?? '')
  return isColor ? words.join(' ') : ''
}
