import { expect, test } from 'vitest'
import { invoiceFileName } from './invoice-file-name.ts'

test.each([
  ['INV-2026-0007', 'INV-2026-0007.pdf'],
  [null, 'invoice.pdf'],
  ['../a "b"\r\nc: d', 'abcd.pdf'],
])('the PDF of invoice %j is named %s', (number, name) => {
  expect(invoiceFileName(number)).toBe(name)
})
