import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SignInAnswer } from '#contracts/passkeys.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import {
  createOwnPasskeyBrowser,
  createPasskeyBrowser,
} from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

let shop: TestApp
let device: ReturnType<typeof createSoftwareAuthenticator>
beforeAll(async () => {
  shop = await createTestApp()
  device = createSoftwareAuthenticator()
  await (await createOwnPasskeyBrowser(shop)).register(device)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits')
})

const refusal = { ok: false, code: 'INVALID_CREDENTIALS', message: 'Invalid username or password' }

type Browser = ReturnType<typeof createPasskeyBrowser>
const send = (browser: Browser, answer: SignInAnswer) =>
  browser.post('/api/admin/passkey-sign-in', { answer })

/** Replaces the last byte of a base64url text with another byte. */
function damaged(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
  return bytes.toString('base64url')
}

/** The simulated attacks on a sign-in. Each function returns the response to the last request of its attack. */
const attacks = {
  'a replayed answer': async (browser: Browser) => {
    const answer = device.signIn(await browser.askToSignIn())
    expect((await send(browser, answer)).statusCode).toBe(200)
    return send(browser, answer)
  },
  'an answer for another origin': (browser: Browser) =>
    browser.signIn(device, { origin: 'http://localhost:3001' }),
  'an answer for another host': (browser: Browser) =>
    browser.signIn(device, { rpId: 'elsewhere.example' }),
  'an answer without user verification': (browser: Browser) =>
    browser.signIn(device, { isUserVerified: false }),
  'a wrong signature': async (browser: Browser) => {
    const answer = device.signIn(await browser.askToSignIn())
    const signature = damaged(answer.response.signature)
    return send(browser, { ...answer, response: { ...answer.response, signature } })
  },
  'changed data of the device': async (browser: Browser) => {
    const answer = device.signIn(await browser.askToSignIn())
    const authenticatorData = damaged(answer.response.authenticatorData)
    return send(browser, { ...answer, response: { ...answer.response, authenticatorData } })
  },
  'the challenge of another browser': async (browser: Browser) => {
    await browser.askToSignIn()
    return send(browser, device.signIn(await createPasskeyBrowser(shop).askToSignIn()))
  },
  'a challenge that expired': async (browser: Browser) => {
    const options = await browser.askToSignIn()
    await shop.database.owner.query('update internal.passkey_challenges set expires_at = now()')
    return send(browser, device.signIn(options))
  },
  'a challenge that the attacker made up': async (browser: Browser) => {
    await browser.askToSignIn()
    return send(browser, device.signIn({ challenge: Buffer.alloc(32, 1).toString('base64url') }))
  },
  'the challenge of a registration': async () => {
    const own = await createOwnPasskeyBrowser(shop)
    return send(own, device.signIn(await own.askToRegister()))
  },
  'an unknown passkey': async (browser: Browser) => {
    const stranger = createSoftwareAuthenticator()
    stranger.register({ challenge: 'AA', user: { id: 'AAAA' } })
    return browser.signIn(stranger)
  },
  'the id of a known passkey with the key of another one': async (browser: Browser) => {
    const stranger = createSoftwareAuthenticator()
    stranger.register({ challenge: 'AA', user: { id: 'AAAA' } })
    const { id, rawId, response } = device.signIn({ challenge: 'AA' })
    const forged = stranger.signIn(await browser.askToSignIn())
    const { userHandle } = response
    return send(browser, { ...forged, id, rawId, response: { ...forged.response, userHandle } })
  },
  'the name of another owner in the answer': async (browser: Browser) => {
    const answer = device.signIn(await browser.askToSignIn())
    const userHandle = Buffer.alloc(16, 7).toString('base64url')
    return send(browser, { ...answer, response: { ...answer.response, userHandle } })
  },
  'a switched-off account': async (browser: Browser) => {
    const { owner } = shop.database
    await owner.query('alter table public.staff_accounts disable trigger user')
    await owner.query('update public.staff_accounts set is_active = false')
    try {
      return await browser.signIn(device)
    } finally {
      await owner.query('update public.staff_accounts set is_active = true')
      await owner.query('alter table public.staff_accounts enable trigger user')
    }
  },
  'a passkey of a former host': async (browser: Browser) => {
    await shop.database.owner.query(`update internal.passkeys set rp_id = 'former.example'`)
    try {
      return await browser.signIn(device)
    } finally {
      await shop.database.owner.query(`update internal.passkeys set rp_id = 'localhost'`)
    }
  },
  'an answer that is not one': (browser: Browser) =>
    browser.post('/api/admin/passkey-sign-in', { answer: { id: 'x' } }),
}

describe('an attack on the sign-in with a passkey', () => {
  it('uses a passkey that signs in with a valid response', async () => {
    expect((await createPasskeyBrowser(shop).signIn(device)).statusCode).toBe(200)
  })

  it.each(Object.entries(attacks))(
    'gets the same refusal as every other attack: %s',
    async (_name, attack) => {
      const response = await attack(createPasskeyBrowser(shop))
      expect([response.statusCode, response.json()]).toEqual([401, refusal])
      expect(response.cookies).toEqual([])
    },
  )

  it('is blocked after ten wrong responses in a minute; correct responses do not count', async () => {
    for (let count = 0; count < 12; count += 1) {
      expect((await createPasskeyBrowser(shop).signIn(device)).statusCode).toBe(200)
    }
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      const response = await createPasskeyBrowser(shop).signIn(device, { isUserVerified: false })
      statuses.push(response.statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })
})

describe('an attack on the registration of a passkey', () => {
  const ownBrowser = () => createOwnPasskeyBrowser(shop)
  const count = async () => {
    const { rows } = await shop.database.owner.query('select count(*)::int from internal.passkeys')
    return rows[0]
  }

  it('stores no passkey without user verification, from another origin or with another challenge', async () => {
    const before = await count()
    const browser = await ownBrowser()
    const claims = [{ isUserVerified: false }, { origin: 'https://elsewhere.example' }]
    for (const claim of claims) {
      const response = await browser.register(createSoftwareAuthenticator(), 'x', claim)
      expect(response.json()).toMatchObject({ code: 'PASSKEY_REFUSED' })
    }
    const user = (await browser.askToRegister())['user']
    const forSignIn = { ...(await browser.askToSignIn()), user }
    const answer = createSoftwareAuthenticator().register(forSignIn)
    const response = await browser.post('/api/admin/passkeys', { name: 'x', answer })
    expect(response.json()).toMatchObject({ code: 'PASSKEY_REFUSED' })
    expect(await count()).toEqual(before)
  })

  it('stores only one passkey when it sends the same response twice', async () => {
    const browser = await ownBrowser()
    const answer = createSoftwareAuthenticator().register(await browser.askToRegister())
    const first = await browser.post('/api/admin/passkeys', { name: 'x', answer })
    const second = await browser.post('/api/admin/passkeys', { name: 'x', answer })
    expect([first.statusCode, second.statusCode]).toEqual([200, 400])
  })

  it('is refused without a session', async () => {
    const visitor = createPasskeyBrowser(shop)
    const answer = createSoftwareAuthenticator().register(
      await (await ownBrowser()).askToRegister(),
    )
    const id = '00000000-0000-4000-8000-000000000000'
    const requests: [string, object][] = [
      ['/api/admin/passkeys/options', {}],
      ['/api/admin/passkeys', { name: 'x', answer }],
      [`/api/admin/passkeys/${id}/rename`, { name: 'x' }],
      [`/api/admin/passkeys/${id}/remove`, {}],
    ]
    for (const [url, payload] of requests) {
      expect([url, (await visitor.post(url, payload)).statusCode]).toEqual([url, 401])
    }
    expect((await visitor.list()).statusCode).toBe(401)
  })

  it('cannot add or remove a passkey without step-up authentication', async () => {
    const browser = createPasskeyBrowser(shop, await shop.logIn())
    const { id } = await browser.firstPasskey()
    for (const url of ['/api/admin/passkeys/options', `/api/admin/passkeys/${id}/remove`]) {
      expect((await browser.post(url, {})).json()).toMatchObject({ code: 'STEP_UP_REQUIRED' })
    }
  })

  it('cannot change a passkey of another team member', async () => {
    const browser = await ownBrowser()
    const { id } = await browser.firstPasskey()
    const { owner } = shop.database
    await owner.query(
      `insert into public.staff_accounts (user_id, username, role) values (gen_random_uuid(), 'other', 'advisor')`,
    )
    await owner.query(
      `update internal.passkeys set user_id = (select user_id from public.staff_accounts where username = 'other')
       where id = $1`,
      [id],
    )
    for (const [action, payload] of Object.entries({ rename: { name: 'mine' }, remove: {} })) {
      const response = await browser.post(`/api/admin/passkeys/${id}/${action}`, payload)
      expect(response.json()).toMatchObject({ code: 'PASSKEY_NOT_FOUND' })
    }
  })
})

it('passkeys are not offered on a site without https, and the site states the reason', async () => {
  const plain = await createTestApp({ config: { publicUrl: 'http://shop.local' } })
  try {
    const reason =
      'Passkeys work only over https. This site is at http://shop.local, so the passkey button is not shown.'
    const offered = await plain.inject({
      method: 'POST',
      url: '/api/admin/passkey-sign-in/options',
      payload: {},
    })
    expect(offered.json()).toEqual({ ok: true, unavailable: reason })
    const browser = await createOwnPasskeyBrowser(plain)
    const registration = await browser.post('/api/admin/passkeys/options', {})
    expect(registration.json()).toMatchObject({ code: 'PASSKEYS_UNAVAILABLE' })
    expect((await browser.list()).json()).toMatchObject({ unavailableAt: 'http://shop.local' })
  } finally {
    await plain.close()
  }
})
