import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestOf } from '#contracts/api/endpoint.ts'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Limit } from '#server/platform/http/limits/rate-limits.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { confirmAdminSession } from '../admin-sessions.ts'
import { readSessionCookie } from '../session-cookie.ts'
import { bindBrowser, readBrowserToken } from './challenge-cookie.ts'
import { hasPassword, startConfirmation } from './confirm-with-passkey.ts'
import type { PasskeyDependencies } from './passkey-dependencies.ts'
import { relyingPartyOf } from './relying-party.ts'
import { checkPasskey } from './sign-in-with-passkey.ts'
import { signedInAdmin } from './signed-in-admin.ts'

const challengeLimits = [{ name: 'passkey-challenge', max: 30, windowSeconds: 60 }]

/** The limits of failed passkey confirmations for one account. A successful confirmation does not count. */
const limitsOf = (userId: string): Limit[] => [
  { name: 'passkey-step-up', max: 10, windowSeconds: 300, subject: () => userId },
]

/** Routes of the step-up authentication with a passkey (docs/product.md 6.8). */
export function registerPasskeyConfirmation(
  app: FastifyInstance,
  dependencies: PasskeyDependencies,
): void {
  const { database, publicUrl } = dependencies
  const site = relyingPartyOf(publicUrl)
  serve(app, passkeyEndpoints.startConfirmation).with({
    limit: challengeLimits,
    async handle(_input, { request, reply }) {
      const session = await signedInAdmin(dependencies, request)
      if (!session.ok) return session
      const browserToken = bindBrowser(request, reply, publicUrl)
      const confirmer = { browserToken, session: session.value }
      return accepted({
        options: site.ok
          ? await startConfirmation(database, { ...confirmer, site: site.value })
          : null,
        hasPassword: await hasPassword(database, session.value.userId),
      })
    },
    present: ({ options, ...rest }) => ({ ok: true, options: options && { ...options }, ...rest }),
  })
  // The handler applies the rate limits of this route, because only the handler knows the account that they count.
  serve(app, passkeyEndpoints.finishConfirmation).with({
    limit: 'in handler',
    invalid: { code: 'WRONG_PASSKEY' },
    handle: ({ answer }, { request }) => confirmPasskey(dependencies, answer, request),
    present: (until) => ({ ok: true, confirmedUntil: new Date(until).toISOString() }),
  })
}

type Answer = RequestOf<typeof passkeyEndpoints.finishConfirmation>['answer']

/**
 * Checks the passkey response of the signed-in team member, and lets this session use endpoints that require step-up
 * authentication for five minutes. Returns the end of this period, in milliseconds since 1970.
 */
async function confirmPasskey(
  dependencies: PasskeyDependencies,
  answer: Answer,
  request: FastifyRequest,
): Promise<Result<number, Refusal>> {
  const { database, limits, publicUrl } = dependencies
  const site = relyingPartyOf(publicUrl)
  if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
  const session = await signedInAdmin(dependencies, request)
  if (!session.ok) return session
  const waitSeconds = await limits.consume(request, limitsOf(session.value.userId))
  if (waitSeconds !== undefined) return refused({ waitSeconds })
  const browserToken = readBrowserToken(request) ?? ''
  const asker = { site: site.value, browserToken, session: session.value }
  const checked = await checkPasskey({ database, owner: dependencies }, asker, answer)
  if (!checked.ok) {
    return refused({
      code: checked.refusal === 'PASSKEY_AGAIN' ? 'PASSKEY_AGAIN' : 'WRONG_PASSKEY',
    })
  }
  await limits.forgive(request)
  const until = await confirmAdminSession(database, readSessionCookie(request) ?? '', 'passkey')
  return until === undefined ? refused({ code: 'UNAUTHENTICATED' }) : accepted(until)
}
