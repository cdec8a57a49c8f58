import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'

test('what could open a tag, close an attribute or begin an entity stays text', () => {
  expect(escapeHtml(`<a href="x" id='y'>&lt;`)).toBe(
    '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;lt;',
  )
})

test('every other character stays as it was typed', () => {
  expect(escapeHtml('Łukasz, 2 × 5’\n')).toBe('Łukasz, 2 × 5’\n')
})
