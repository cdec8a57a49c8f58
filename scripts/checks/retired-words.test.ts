import { expect, test } from 'vitest'
import { findNames, findRetiredWords, readRetiredWords } from './retired-words.ts'

const glossary = `
## Retired words

| word | write | may stand in | because |
| --- | --- | --- | --- |
| \`letter\`, \`letters\` | email | | |
| \`visit\` | booking | \`visitPage*\`, \`server/features/visit-page/*\` | the page of a booking is the visit page |
`
const retired = readRetiredWords(glossary)
const foundIn = (path: string, text: string) => findRetiredWords(findNames(path, text), retired)

test('the table of retired words is parsed, including rows that list several forms of a word', () => {
  expect(retired.map(({ word }) => word)).toEqual(['letter', 'letters', 'visit'])
})

test.each([
  ['a.ts', 'const sentLetter = 1'],
  ['a.ts', 'export function f(letter: string) { return letter }'],
  ['a.ts', 'export function f({ kind: [letterKind] }: Options) { return letterKind }'],
  ['a.ts', 'type Email = { letterKind: string }'],
  ['a.ts', 'export const kinds = { letterKind: 1 }'],
  ['a.tsx', 'export const Letter = () => <p />'],
  ['send-letter.ts', ''],
  ['letters/a.ts', ''],
  ['a.css', '.letter-text { color: red }'],
  ['a.css', ':root { --letter-width: 1px }'],
  ['supabase/schemas/80_emails.sql', 'create table public.letters (id uuid);'],
])('a retired word is found in the names of %s: %s', (path, text) => {
  expect(foundIn(path, text)).toHaveLength(1)
})

test.each([
  ['a.ts', "const text = 'Your letter'"],
  ['a.ts', '// A letter\nconst newsletter = 1'],
  ['a.ts', 'const visitPageUrl = 1'],
  ['server/features/visit-page/a.ts', 'const visit = 1'],
  ['a.css', '/* a letter */ .email { color: red }'],
  ['supabase/schemas/80_emails.sql', "select 'letters' -- letters"],
])('no retired word is found in the names of %s: %s', (path, text) => {
  expect(foundIn(path, text)).toEqual([])
})

test('a retired word is reported with the file, the line and the replacement', () => {
  expect(foundIn('a.ts', '\nconst letter = 1')).toEqual([
    "a.ts:2: 'letter' has the retired word 'letter'. Write: email.",
  ])
})
