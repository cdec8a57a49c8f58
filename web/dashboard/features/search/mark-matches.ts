/** A part of a text, and whether it matches the search. */
export type TextPart = { readonly text: string; readonly isMatch: boolean }

/**
 * A search word with at least this many digits also matches numbers that contain spaces or separators between the
 * digits.
 */
const shortestNumber = 3

/**
 * Splits a text at the words of a search, ignoring case and accents: 'Maria Delgado' for 'delg' is 'Maria ',
 * 'Delg' (a match) and 'ado'. Digits match across spaces and separators: '5550167' matches '555-0167'.
 */
export function markMatches(text: string, search: string): TextPart[] {
  const patterns = plain(search).trim().split(/\s+/).filter(Boolean).map(patternOfWord)
  const whole = search.replaceAll(/\D/g, '')
  const isNumber = /^[+\d\s().\-/]+$/.test(search) && whole.length >= shortestNumber
  const chosenPatterns = isNumber ? [patternOfDigits(whole)] : patterns
  if (chosenPatterns.length === 0) return [{ text, isMatch: false }]
  const parts: TextPart[] = []
  for (const part of plain(text).split(new RegExp(`(${chosenPatterns.join('|')})`))) {
    const start = parts.reduce((length, before) => length + before.text.length, 0)
    parts.push({ text: text.slice(start, start + part.length), isMatch: parts.length % 2 === 1 })
  }
  return parts.filter((part) => part.text !== '')
}

/**
 * Normalizes a text like the database (internal.normalize_search_text), letter by letter, so that each letter keeps its
 * position: 'Núñez' becomes 'nunez'.
 */
const plain = (text: string) => Array.from(text, plainLetter).join('')

function plainLetter(letter: string): string {
  const base = letter
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const named = plainOf[base] ?? base
  return named.length === letter.length ? named : letter
}

/** The base letters of letters such as 'ø', which Unicode does not decompose into a base letter and an accent. */
const plainOf: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }

const patternOfWord = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/**
 * Returns the regular expression that finds a typed number. A phone number is found with or without the country code 1.
 */
const patternOfDigits = (digits: string) =>
  Array.from(digits.replace(/^1(?=\d{10}$)/, '')).join(String.raw`[\s().\-/]*`)

/** Whether any part of a text matches the search. */
export const hasMatch = (text: string, search: string) =>
  markMatches(text, search).some((part) => part.isMatch)
