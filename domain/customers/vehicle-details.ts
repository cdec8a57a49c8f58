/*
 * Filters for an unverified visitor's text about a vehicle. Unverified visitors can make the shop send an email to any
 * address, so the text must not carry a message (decision 14).
 */

const longestModel = 24
const mostWords = 3
const mostDigits = 5
const modelWord = /^[\p{Script=Latin}\d-]+$/u

/** A model of at most three words of letters, digits and hyphens ('CX-5 Grand Touring'); '' for any other text. */
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

/** A color of known words in small letters, 'dark blue'; '' for any other text. */
export function knownColor(color: string): string {
  const words = color.toLowerCase().trim().split(/\s+/)
  const shades = words.filter((word) => !knownTones.has(word))
  const isColor = words.length <= 3 && shades.length === 1 && knownColors.has(shades[0] ?? '')
  return isColor ? words.join(' ') : ''
}
