import { expect, it } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

it('the relying party id is the host of an https URL, without the port', () => {
  expect(relyingPartyOf('https://shop.example:8443')).toEqual({
    ok: true,
    value: { id: 'shop.example', origin: 'https://shop.example:8443' },
  })
})

it('the relying party id of a site on localhost is localhost, even without https', () => {
  expect(relyingPartyOf('http://localhost:3000')).toMatchObject({ value: { id: 'localhost' } })
})

it.each([
  'http://shop.local',
  'http://127.0.0.1:3000',
  'https://192.0.2.1',
  'https://[2001:db8::1]',
])('passkeys cannot work at the site URL %s, and the stated reason names this URL', (publicUrl) => {
  const outcome = relyingPartyOf(publicUrl)
  expect(outcome).toMatchObject({ ok: false })
  expect(JSON.stringify(outcome)).toContain(publicUrl)
})
