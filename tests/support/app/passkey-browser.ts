import { type TestApp, testAdmin } from './app.ts'
import type { createSoftwareAuthenticator } from './software-authenticator.ts'

type Device = ReturnType<typeof createSoftwareAuthenticator>
type Claims = Parameters<Device['signIn']>[1]
type Options = Parameters<Device['signIn']>[0]

/**
 * Creates a client that acts as a separate browser, with or without the cookie of a sign-in session. The client keeps
 * the cookie to which the server binds passkey challenges.
 */
export function createPasskeyBrowser({ inject }: TestApp, sessionCookie = '') {
  let challengeCookie = ''
  const post = async (url: string, payload: object) => {
    const cookie = [sessionCookie, challengeCookie].join('; ')
    const response = await inject({ method: 'POST', url, payload, headers: { cookie } })
    const bound = response.cookies.find(({ name }) => name === 'passkey_browser')
    if (bound) challengeCookie = `passkey_browser=${bound.value}`
    return response
  }
  const options = async (url: string) => (await post(url, {})).json<{ options: Options }>().options
  const list = () => inject({ url: '/api/admin/passkeys', headers: { cookie: sessionCookie } })

  return {
    post,
    list,
    askToRegister: () => options('/api/admin/passkeys/options'),
    askToSignIn: () => options('/api/admin/passkey-sign-in/options'),
    async register(device: Device, name = 'This device', claims?: Claims) {
      const answer = device.register(await options('/api/admin/passkeys/options'), claims)
      return post('/api/admin/passkeys', { name, answer })
    },
    async signIn(device: Device, claims?: Claims) {
      const answer = device.signIn(await options('/api/admin/passkey-sign-in/options'), claims)
      return post('/api/admin/passkey-sign-in', { answer })
    },
    async firstPasskey() {
      const [first] = (await list()).json<{ passkeys: { id: string }[] }>().passkeys
      if (!first) throw new Error('no passkey')
      return first
    },
  }
}

/** Creates a browser of the signed-in test admin, who has confirmed the password a moment ago. */
export async function createOwnPasskeyBrowser(shop: TestApp) {
  const browser = createPasskeyBrowser(shop, await shop.logIn())
  const { password } = testAdmin
  const confirmed = await browser.post('/api/admin/confirm-password', { password })
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body)
  return browser
}
