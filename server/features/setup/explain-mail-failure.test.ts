import { expect, test } from 'vitest'
import { explainMailFailure } from './explain-mail-failure.ts'

test.each([
  [
    'Sending through the mail server failed: connect ECONNREFUSED 127.0.0.1:2525',
    /No mail server responds/,
  ],
  ['Sending through the mail server failed: getaddrinfo ENOTFOUND mail.example', /does not exist/],
  ['The mail server did not accept the email in time.', /does not answer/],
  [
    'Sending through the mail server failed: Greeting never received, connection timed out',
    /does not answer/,
  ],
  ['Sending through the mail server failed: self-signed certificate', /encrypted connection/],
  ['535 5.7.8 Error: authentication failed', /did not accept the user name/],
  ['550 5.1.1 No such user here', /refused the recipient/],
  ['554 5.7.1 Relay access denied', /refused the recipient/],
  ['451 Try again later', /is busy/],
  ['Error: ENOSPC: no space left on device', /cannot write/],
  ['599 Tuesday', /We don't know this error/],
])('explainMailFailure explains the error %j', (message, meaning) => {
  expect(explainMailFailure(message)).toMatch(meaning)
})
