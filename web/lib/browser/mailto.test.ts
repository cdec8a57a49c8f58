import { expect, it } from 'vitest'
import { mailto } from './mailto.ts'

it('writes to an address as it is', () => {
  expect(mailto('dana@customer.example')).toBe('mailto:dana@customer.example')
})

it('lets an address set no header of the message', () => {
  const link = new URL(mailto('dana@customer.example?bcc=thief@evil.example&subject=x#y'))
  expect([link.search, link.hash]).toEqual(['', ''])
})
