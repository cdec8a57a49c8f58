import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'

test('escapeHtml escapes the characters that could open a tag, end an attribute value or begin an entity', () => {
  expect(escapeHtml(`<a href="x" id='y'>&lt;`)).toBe(
    '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;lt;',
  )
})

test('escapeHtml leaves every other character unchanged', () => {
  expect(escapeHtml('Łukasz, 2 × 5’\n')).toBe('Łukasz, 2 × 5’\n')
})
