import type { FastifyInstance, FastifyReply } from 'fastify'
import { type LogInDependencies, welcome } from '#server/features/admin-session/sign-in/log-in.ts'
import { adminSessionSeconds } from '#server/features/admin-session/admin-sessions.ts'
import { findPasswordProblem } from '#server/features/admin-session/accounts/password-problem.ts'
import {
  createLinkPages,
  type LinkPageContext,
  type OpenedLink,
  sendInvalidLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { relyingPartyOf } from '#server/features/admin-session/passkeys/relying-party.ts'
import { describeDevice } from '#server/features/admin-session/sign-in/describe-device.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { acceptFormBodies, formOf } from '#server/platform/http/pages/form-bodies.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { registerJoinWithPasskey } from './join-with-passkey.ts'
import { findInvitation, type ReadInvitation, readInvitation } from './invitations.ts'

type Serving = LinkPageContext & LogInDependencies

const formBytes = 4096
const invalidPage = 'invalid_invitation'

const { actionHandler, pageHandler } = createLinkPages<Serving, ReadInvitation>({
  name: 'invitation',
  root: '/join',
  invalidPage,
  idOf: ({ database }, token) => findInvitation(database, token),
  read: ({ database }, id) => database.transaction(asServer, (query) => readInvitation(query, id)),
})

/**
 * Serves /join/<token>, where the recipient of an invitation chooses a password and becomes a team member
 * (docs/product.md 6.11). GET changes nothing, because mail scanners open every link; the button of the page sends a
 * POST.
 */
export async function registerJoinPage(app: FastifyInstance, serving: Serving): Promise<void> {
  registerJoinWithPasskey(app, serving)
  await app.register(async (pages) => {
    acceptFormBodies(pages, formBytes)
    declareRoutes(pages, { rights: 'link', limit: 'in handler' })
    pages.get(
      '/join/:token',
      pageHandler(serving, (invitation, { path, request, reply }) =>
        sendJoin(serving, { invitation, path, request, reply }),
      ),
    )
    pages.post(
      '/join/:token',
      actionHandler(serving, (opened) => join(serving, opened)),
    )
  })
}

async function join(serving: Serving, { id, path, request, reply }: OpenedLink) {
  const { database } = serving
  const invitation = await database.transaction(asServer, (query) => readInvitation(query, id))
  if (!invitation) return sendInvalidLink(serving, reply, invalidPage)
  const form = formOf(request)
  // The form of the page has only a password field. A request with another field, such as a role, was not sent by the
  // page and is refused.
  if ([...form.keys()].some((field) => field !== 'password')) {
    return sendJoin(serving, { invitation, path, request, reply: reply.code(400) })
  }
  const password = form.get('password') ?? ''
  const problem = await findPasswordProblem(password)
  if (problem !== undefined) {
    return sendJoin(serving, { invitation, path, request, reply: reply.code(422) }, problem)
  }
  const admin = await acceptInvitation(serving, invitation, password)
  if (!admin) return sendInvalidLink(serving, reply, invalidPage)
  const { gateway, now } = serving
  const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
  // If the account was deactivated in the meantime, no dashboard session was opened, and the browser stays signed out.
  if (opened) await welcome(serving, request, reply, { admin, opened })
  return sendJoined(serving, reply, invitation.name, admin.username)
}

type Shown = Omit<OpenedLink, 'id'> & { readonly invitation: ReadInvitation }

/**
 * Sends the page of an invitation. The page offers a passkey if the invitation creates a new account and passkeys
 * can work at the site's URL.
 */
function sendJoin(
  serving: Serving,
  { invitation, path, request, reply }: Shown,
  problem?: string,
): FastifyReply {
  const offersPasskey = invitation.accountId === null && relyingPartyOf(serving.publicUrl).ok
  const device = offersPasskey ? describeDevice(request.headers['user-agent']) : undefined
  return sendPage(serving, reply, {
    name: 'join',
    invitation,
    path,
    ...(device !== undefined && { device }),
    ...(problem !== undefined && { problem }),
  })
}

const sendJoined = (
  serving: Serving,
  reply: FastifyReply,
  name: string,
  username: string,
): FastifyReply => sendPage(serving, reply, { name: 'joined', fullName: name, username })
