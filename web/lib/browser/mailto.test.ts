import { expect, it } from 'vitest'
import { mailto } from './mailto.ts'

it('a mailto link contains an ordinary email address unchanged', () => {
  expect(mailto('dana@customer.example')).toBe('mailto:dana@customer.example')
})

it('a mailto link escapes the email address, so that a typed address cannot set headers of the email', () => {
  const link = new URL(mailto('dana@customer.example?bcc=thief@evil.example&subject=x#y'))
  expect([link.search, link.hash]).toEqual(['', ''])
})
