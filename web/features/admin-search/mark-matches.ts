/** A part of a text, and whether it is what was searched for. */
export type TextPart = { readonly text: string; readonly isMatch: boolean }

/** Digits of a number match however either was typed, from this many on. */
const shortestNumber = 3

/**
 * Cuts a text where it has the words that were searched for, in whatever case: 'Maria Delgado' for 'delg' is 'Maria ',
 * 'Delg' (a match) and 'ado'. Digits match past spaces and signs: '5550167' marks '555-0167'.
 */
export function markMatches(text: string, search: string): TextPart[] {
  const patterns = search.trim().split(/\s+/).filter(Boolean).map(patternOfWord)
  const whole = search.replaceAll(/\D/g, '')
  const isNumber = /^[+\d\s().\-/]+$/.test(search) && whole.length >= shortestNumber
  const wanted = isNumber ? [patternOfDigits(whole)] : patterns
  if (wanted.length === 0) return [{ text, isMatch: false }]
  return text
    .split(new RegExp(`(${wanted.join('|')})`, 'i'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

const patternOfWord = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** The country code 1 is dialled or not. */
const patternOfDigits = (digits: string) =>
  Array.from(digits.replace(/^1(?=\d{10}$)/, '')).join(String.raw`[\s().\-/]*`)

/** Whether a text has some of what was searched for. */
export const hasMatch = (text: string, search: string) =>
  markMatches(text, search).some((part) => part.isMatch)
