import type { FastifyInstance } from 'fastify'
import { joinEndpoints } from '#contracts/join.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { accepted, refused } from '#domain/result.ts'
import { adminSessionSeconds } from '#server/features/admin-session/admin-sessions.ts'
import {
  bindBrowser,
  readBrowserToken,
} from '#server/features/admin-session/passkeys/challenge-cookie.ts'
import {
  challengeIn,
  closeInvitationChallenge,
  issueInvitationChallenge,
} from '#server/features/admin-session/passkeys/challenges.ts'
import {
  checkRegistration,
  registrationOptions,
} from '#server/features/admin-session/passkeys/register-passkey.ts'
import { relyingPartyOf } from '#server/features/admin-session/passkeys/relying-party.ts'
import { type LogInDependencies, welcome } from '#server/features/admin-session/sign-in/log-in.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { acceptWithPasskey } from './accept-invitation.ts'
import { findInvitation, type ReadInvitation, readInvitation } from './invitations.ts'

type Dependencies = LogInDependencies & { readonly currentShop: CurrentShop }

const limits = [
  { name: 'join-with-passkey', max: 20, windowSeconds: 600 },
  { name: 'join-with-passkey', max: 60, windowSeconds: 86_400 },
]

/** Routes with which a person accepts an invitation with a passkey instead of a password (docs/product.md 6.11). */
export function registerJoinWithPasskey(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, publicUrl, currentShop, gateway, now } = dependencies
  const site = relyingPartyOf(publicUrl)
  serve(app, joinEndpoints.start).with({
    limit: limits,
    invalid: { code: 'INVITATION_INVALID' },
    async handle({ token }, { request, reply }) {
      if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
      const invitation = await findNewInvitation(dependencies, token)
      if (!invitation) return refused({ code: 'INVITATION_INVALID' })
      const browserToken = bindBrowser(request, reply, publicUrl)
      const asker = { invitationId: invitation.id, browserToken }
      const { challenge, userId } = await issueInvitationChallenge(database, asker)
      const admin = { userId, username: invitation.username }
      const shopName = currentShop().name
      return accepted(
        await registrationOptions({ shopName, site: site.value, admin, challenge, known: [] }),
      )
    },
    present: (options) => ({ ok: true, options: { ...options } }),
  })
  serve(app, joinEndpoints.finish).with({
    limit: limits,
    invalid: { code: 'PASSKEY_REFUSED' },
    async handle({ token, name, answer }, { request, reply }) {
      if (!site.ok) return refused({ code: 'PASSKEYS_UNAVAILABLE' })
      const invitation = await findNewInvitation(dependencies, token)
      if (!invitation) return refused({ code: 'INVITATION_INVALID' })
      const challenge = challengeIn(answer.response.clientDataJSON)
      const browserToken = readBrowserToken(request) ?? ''
      const asker = { invitationId: invitation.id, browserToken }
      const userId = await closeInvitationChallenge(database, challenge, asker)
      // The server also verifies a response to an invalid challenge, so that all refusals take equally long.
      const passkey = await checkRegistration({ name, answer }, { challenge, site: site.value })
      if (userId === undefined || !passkey) return refused({ code: 'PASSKEY_REFUSED' })
      const admin = await acceptWithPasskey(dependencies, invitation, { userId, passkey })
      if (!admin) return refused({ code: 'INVITATION_INVALID' })
      const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
      // If the account was deactivated in the meantime, no dashboard session was opened, and the browser stays signed
      // out.
      if (opened) await welcome(dependencies, request, reply, { admin, opened })
      return accepted(undefined)
    },
    present: () => ({ ok: true }),
  })
}

/**
 * Returns the open invitation of a token, if the invitation creates a new account. An invitation that resets the
 * password of an existing account accepts no passkey.
 */
async function findNewInvitation(
  { database }: Dependencies,
  token: string,
): Promise<ReadInvitation | undefined> {
  const id = await findInvitation(database, token)
  if (id === undefined) return undefined
  const invitation = await database.transaction(asServer, (query) => readInvitation(query, id))
  return invitation?.accountId === null ? invitation : undefined
}
