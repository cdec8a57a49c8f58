import { expect, it } from 'vitest'
import { html } from './html.ts'

it('html escapes values in text and in attributes', () => {
  const value = `<b>"'&`
  expect(html`<p title="${value}">${value}</p>`.text).toBe(
    '<p title="&lt;b&gt;&quot;&#39;&amp;">&lt;b&gt;&quot;&#39;&amp;</p>',
  )
})

it('html inserts markup and lists of markup unescaped, and omits empty values', () => {
  const items = [html`<b>1</b>`, html`<b>2</b>`]
  expect(html`${items}${html`<i></i>`}${null}${undefined}${false}${0}`.text).toBe(
    '<b>1</b><b>2</b><i></i>0',
  )
})
