import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignInAnswer } from '#contracts/passkeys.ts'
import { addTestAccount, createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { expectOneRefusal, measureRequest } from '#tests/support/app/measured-requests.ts'
import {
  createOwnPasskeyBrowser,
  createPasskeyBrowser,
} from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

type Device = ReturnType<typeof createSoftwareAuthenticator>

const off = { username: 'off', password: 'the password of off' }
let shop: TestApp
let known: Device
let unknown: Device
let ofSwitchedOff: Device
beforeAll(async () => {
  shop = await createTestApp()
  known = createSoftwareAuthenticator()
  await (await createOwnPasskeyBrowser(shop)).register(known)
  unknown = createSoftwareAuthenticator()
  unknown.register({ challenge: 'AA', user: { id: 'AAAA' } })
  ofSwitchedOff = await registerOfSwitchedOff()
})
afterAll(() => shop.close())
beforeEach(() => shop.database.owner.query('delete from internal.rate_limits'))

/** Adds a staff account with a passkey, and switches the account off. */
async function registerOfSwitchedOff(): Promise<Device> {
  await addTestAccount(shop.database, { ...off, role: 'owner' })
  const browser = createPasskeyBrowser(shop, await shop.logIn(off))
  await browser.post('/api/admin/confirm-password', { password: off.password })
  const device = createSoftwareAuthenticator()
  expect((await browser.register(device)).statusCode).toBe(200)
  await shop.database.owner.query(
    'update public.staff_accounts set is_active = false where username = $1',
    [off.username],
  )
  return device
}

/** Prepares a sign-in with a passkey up to its last request, so that the test measures only that request. */
async function prepare(
  device: Device,
  change: (answer: SignInAnswer) => SignInAnswer = (same) => same,
) {
  const browser = createPasskeyBrowser(shop)
  const answer = change(device.signIn(await browser.askToSignIn()))
  return () => browser.post('/api/admin/passkey-sign-in', { answer })
}

/** Replaces the signature in the passkey response with the signature for another challenge. */
function withWrongSignature(answer: SignInAnswer): SignInAnswer {
  const { signature } = known.signIn({ challenge: 'AA' }).response
  return { ...answer, response: { ...answer.response, signature } }
}

describe('a refused passkey', () => {
  it('has the same response and costs the same work if the passkey is unknown, its signature is wrong or its account is switched off', async () => {
    const refusal = await expectOneRefusal({
      'an unknown passkey': await prepare(unknown),
      'a wrong signature': await prepare(known, withWrongSignature),
      'the right passkey of a switched-off account': await prepare(ofSwitchedOff),
      'a wrong signature of a switched-off account': await prepare(
        ofSwitchedOff,
        withWrongSignature,
      ),
    })
    expect(refusal).toMatchObject({ status: 401, signatures: 1 })
    expect(refusal.body).toContain('Invalid username or password')
  })

  it('has the same response and costs the same work without a challenge, for a known and an unknown passkey', async () => {
    const [right, stranger] = [await prepare(known), await prepare(unknown)]
    await shop.database.owner.query('update internal.passkey_challenges set expires_at = now()')
    const refusal = await expectOneRefusal({
      'a known passkey': right,
      'an unknown passkey': stranger,
    })
    expect(refusal).toMatchObject({ status: 401, signatures: 1 })
  })

  it('runs fewer statements than an accepted passkey, so that these tests can detect a difference in work', async () => {
    const accepted = await measureRequest(await prepare(known))
    expect(accepted).toMatchObject({ status: 200, signatures: 1 })
    const refused = await measureRequest(await prepare(unknown))
    expect(accepted.statements).toBeGreaterThan(refused.statements)
  })
})
