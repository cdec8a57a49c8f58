import { expect, test } from 'vitest'
import { sessionText } from './session-text.ts'

const session = {
  id: '5d0cbd8e-0ce5-4a6e-9f0e-0000000000ff',
  device: 'Chrome on Windows',
  networkAddress: '192.0.2.1',
  signedInAt: '2026-11-18T16:02:00Z',
  lastUsedAt: '2026-11-21T17:14:00Z',
  isCurrent: false,
}

test('the text of a session states when it was used, and when and from where the user signed in', () => {
  expect(sessionText(session)).toBe(
    'Used Nov 21, 9:14 AM. Signed in Nov 18, 8:02 AM from 192.0.2.1.',
  )
})

test('the text of the current session states that the session is the current one, and omits an unknown IP address', () => {
  expect(sessionText({ ...session, isCurrent: true, networkAddress: null })).toBe(
    'This session. Signed in Nov 18, 8:02 AM.',
  )
})
