import { expect, test } from 'vitest'
import { cleanLines, cleanLine } from './text-input.ts'

test('cleanLine removes invisible characters and direction overrides', () => {
  const unseen = '\u00ad\u061c\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\u{e0041}'
  expect(cleanLine(`Da${unseen}na\tWhit\u2028field`)).toBe('Dana Whit field')
  expect(cleanLine(`${unseen} `)).toBe('')
})

test('cleanLine keeps the zero-width non-joiner, which the spelling of some languages requires', () => {
  expect(cleanLine('علی\u200cرضا')).toBe('علی\u200cرضا')
})

test('cleanLines keeps line breaks and tabs and removes other control characters', () => {
  expect(cleanLines('It\u0000 squeaks\u001b[2J.\r\n\tOn\u202e Mondays.\n')).toBe(
    'It squeaks[2J.\r\n\tOn Mondays.',
  )
})
