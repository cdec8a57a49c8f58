import { expect, test } from 'vitest'
import { cleanLines, cleanLine } from './text-input.ts'

test('one line loses what nobody sees and what turns its direction around', () => {
  const unseen = '\u00ad\u061c\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\u{e0041}'
  expect(cleanLine(`Da${unseen}na\tWhit\u2028field`)).toBe('Dana Whit field')
  expect(cleanLine(`${unseen} `)).toBe('')
})

test('a joiner stays where a language spells with it', () => {
  expect(cleanLine('علی\u200cرضا')).toBe('علی\u200cرضا')
})

test('several lines keep their breaks and tabs and nothing else that controls', () => {
  expect(cleanLines('It\u0000 squeaks\u001b[2J.\r\n\tOn\u202e Mondays.\n')).toBe(
    'It squeaks[2J.\r\n\tOn Mondays.',
  )
})
