import type { FastifyInstance } from 'fastify'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { adminSessionSeconds } from '../admin-sessions.ts'
import { readKnownBrowserCookie } from '../sign-in/known-browser-cookie.ts'
import { presentLogIn, welcome } from '../sign-in/log-in.ts'
import { bindBrowser, readBrowserToken } from './challenge-cookie.ts'
import { formerHostsOfBrowser } from './former-hosts.ts'
import type { PasskeyDependencies } from './passkey-dependencies.ts'
import { relyingPartyOf } from './relying-party.ts'
import { checkPasskey, type SignInOptions, startSignIn } from './sign-in-with-passkey.ts'

/**
 * The rate limit of requests for a passkey challenge. The login page sends such a request when the page opens, and
 * again every few minutes.
 */
const challengeLimits = [{ name: 'passkey-challenge', max: 30, windowSeconds: 60 }]

/** The limits of failed sign-ins with a passkey. A successful sign-in does not count. */
const attemptLimits = [
  { name: 'passkey-sign-in', max: 10, windowSeconds: 60 },
  { name: 'passkey-sign-in', max: 60, windowSeconds: 3_600 },
]

type Started = { readonly unavailable: string } | { readonly options: SignInOptions }

/** Routes that sign in with a passkey (docs/product.md 6.9). */
export function registerPasskeySignIn(
  app: FastifyInstance,
  dependencies: PasskeyDependencies,
): void {
  const { database, publicUrl, gateway, limits, now } = dependencies
  const site = relyingPartyOf(publicUrl)
  serve(app, passkeyEndpoints.startSignIn).with({
    limit: challengeLimits,
    async handle(_input, { request, reply }): Promise<Result<Started, never>> {
      if (!site.ok) return accepted({ unavailable: site.refusal })
      const browserToken = bindBrowser(request, reply, publicUrl)
      return accepted({ options: await startSignIn(database, site.value, browserToken) })
    },
    present: (started) =>
      'options' in started
        ? { ok: true, options: { ...started.options } }
        : { ok: true, ...started },
  })
  serve(app, passkeyEndpoints.formerHosts).with({
    limit: [{ name: 'former-passkeys', max: 30, windowSeconds: 60 }],
    async handle(_input, { request }) {
      const known = readKnownBrowserCookie(request)
      if (!site.ok || known === undefined) return accepted([])
      return accepted(await formerHostsOfBrowser(database, known, site.value.id))
    },
    present: (hosts) => ({ ok: true, hosts }),
  })
  serve(app, passkeyEndpoints.finishSignIn).with({
    limit: attemptLimits,
    invalid: { code: 'INVALID_CREDENTIALS' },
    async handle({ answer }, { request, reply }) {
      if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
      const asker = { site: site.value, browserToken: readBrowserToken(request) ?? '' }
      const checked = await checkPasskey({ database, owner: dependencies }, asker, answer)
      if (!checked.ok) return refused({ code: checked.refusal })
      await limits.forgive(request)
      const admin = checked.value
      const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
      if (!opened) return refused({ code: 'INVALID_CREDENTIALS' })
      return welcome(dependencies, request, reply, { admin, opened })
    },
    present: presentLogIn,
  })
}
