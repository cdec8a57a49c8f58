import { expect, test } from 'vitest'
import { findLostCitations, sectionsOf } from './citations.ts'

const sections = sectionsOf(
  '# The product\n\n## 5. Checks\n\n5.1 **Look-up.** Trimmed.\n\n### 5.2 Quote\n',
)

const lostIn = (text: string) => findLostCitations([{ path: 'a.ts', text }], sections)

test('sectionsOf returns the numbers of the headings and paragraphs of a document', () => {
  expect([...sections]).toEqual(['5', '5.1', '5.2'])
})

test.each(['See docs/product.md.', '(docs/product.md 5)', '(docs/product.md 5.2).'])(
  'findLostCitations accepts the citation %s',
  (text) => expect(lostIn(text)).toEqual([]),
)

test.each(['(docs/product.md 5.3)', 'docs/product.md 55', '(specification, section 5)'])(
  'findLostCitations reports the citation %s',
  (text) => expect(lostIn(text)).toHaveLength(1),
)
