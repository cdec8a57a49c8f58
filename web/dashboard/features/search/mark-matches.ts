/** A part of a text, and whether it is what was searched for. */
export type TextPart = { readonly text: string; readonly isMatch: boolean }

/** Digits of a number match however either was typed, from this many on. */
const shortestNumber = 3

/**
 * Cuts a text where it has the words that were searched for, in whatever case and with or without accents: 'Maria
 * Delgado' for 'delg' is 'Maria ', 'Delg' (a match) and 'ado'. Digits match past spaces and signs: '5550167' marks
 * '555-0167'.
 */
export function markMatches(text: string, search: string): TextPart[] {
  const patterns = plain(search).trim().split(/\s+/).filter(Boolean).map(patternOfWord)
  const whole = search.replaceAll(/\D/g, '')
  const isNumber = /^[+\d\s().\-/]+$/.test(search) && whole.length >= shortestNumber
  const wanted = isNumber ? [patternOfDigits(whole)] : patterns
  if (wanted.length === 0) return [{ text, isMatch: false }]
  const parts: TextPart[] = []
  for (const part of plain(text).split(new RegExp(`(${wanted.join('|')})`))) {
    const start = parts.reduce((length, before) => length + before.text.length, 0)
    parts.push({ text: text.slice(start, start + part.length), isMatch: parts.length % 2 === 1 })
  }
  return parts.filter((part) => part.text !== '')
}

/** As the database compares (internal.normalize_search_text), each letter in its place: 'nunez' of 'Núñez'. */
const plain = (text: string) => Array.from(text, plainLetter).join('')

function plainLetter(letter: string): string {
  const base = letter
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const named = plainOf[base] ?? base
  return named.length === letter.length ? named : letter
}

/** Letters that are no plain one with a mark. */
const plainOf: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }

const patternOfWord = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** The country code 1 is dialled or not. */
const patternOfDigits = (digits: string) =>
  Array.from(digits.replace(/^1(?=\d{10}$)/, '')).join(String.raw`[\s().\-/]*`)

/** Whether a text has some of what was searched for. */
export const hasMatch = (text: string, search: string) =>
  markMatches(text, search).some((part) => part.isMatch)
