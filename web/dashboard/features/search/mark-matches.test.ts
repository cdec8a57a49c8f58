import { describe, expect, test } from 'vitest'
import { markMatches } from './mark-matches.ts'

/** Returns the text with brackets around the parts that match the search. */
const bracketed = (text: string, search: string) =>
  markMatches(text, search)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

describe('markMatches', () => {
  test.each([
    ['Maria Delgado', 'delg', 'Maria [Delg]ado'],
    ['Maria Delgado', 'mar delg', '[Mar]ia [Delg]ado'],
    ['Maria Delgado', ' DELGADO ', 'Maria [Delgado]'],
    ['Maria Delgado', 'luis', 'Maria Delgado'],
    ['E-0093', 'e-0093', '[E-0093]'],
    ['Ana Núñez', 'nunez', 'Ana [Núñez]'],
    ['Łukasz Álvarez', 'álv łuk', '[Łuk]asz [Álv]arez'],
    ['a+b@example.com', 'a+b', '[a+b]@example.com'],
  ])('marks matching words: %s for “%s”', (text, search, expected) => {
    expect(bracketed(text, search)).toBe(expected)
  })

  test.each([
    ['(650) 555-0167', '5550167', '(650) [555-0167]'],
    ['(650) 555-0167', '650.555', '([650) 555]-0167'],
    ['650 555 0167', '+1 (650) 555-0167', '[650 555 0167]'],
    ['TT-0091', '0091', 'TT-[0091]'],
  ])('matches digits regardless of separators: %s for “%s”', (text, search, expected) => {
    expect(bracketed(text, search)).toBe(expected)
  })

  test('marks nothing for an empty search', () => {
    expect(bracketed('Maria', '  ')).toBe('Maria')
  })
})
