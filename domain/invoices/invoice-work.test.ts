import { expect, test } from 'vitest'
import { invoiceWork } from './invoice-work.ts'

test.each([
  [['Front brake pads', 'Labor, one hour'], 'Front brake pads; Labor, one hour'],
  [['Oil', 'Filter', 'Labor', 'Shop supplies'], 'Oil; Filter; Labor and more'],
  [['Washer', 'Washer', ' '], 'Washer'],
  [[null, ''], ''],
  [[], ''],
])('the work of an invoice with the lines %j is summarized as %j', (lines, work) => {
  expect(invoiceWork(lines)).toBe(work)
})
