import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '@local/postgres'
import { type Profile, profileEndpoints } from '#contracts/profile.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import {
  type AdminSession,
  closeOtherSessions,
  findAdminSession,
} from '#server/features/admin-session/admin-sessions.ts'
import type { AuthGateway } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { readSessionCookie } from '#server/features/admin-session/session-cookie.ts'
import { type Refusal, serve } from '#server/platform/http/serve-endpoint.ts'
import { changeEmail, changeName } from './change-account.ts'
import { changePassword } from './change-password.ts'
import { endSession } from './end-session.ts'
import { readProfile } from './read-profile.ts'

type Dependencies = { readonly database: Database; readonly gateway: AuthGateway }

type Current = { readonly session: AdminSession; readonly token: string }

const limit = { name: 'profile', max: 60, windowSeconds: 300 }

/** Routes with which team members change their own staff account and end its sessions (docs/product.md 6.10). */
export function registerProfile(app: FastifyInstance, dependencies: Dependencies): void {
  const { database } = dependencies
  /** Creates a handler that runs `work` for the signed-in team member and returns the updated profile. */
  const change =
    <Input>(work: (current: Current, input: Input) => Promise<Result<true, Refusal>>) =>
    async (input: Input, { request }: { readonly request: FastifyRequest }) => {
      const token = readSessionCookie(request) ?? ''
      const session = await findAdminSession(database, token)
      if (!session) return refused<Refusal>({ code: 'UNAUTHENTICATED' })
      const done = await work({ session, token }, input)
      return done.ok ? accepted(await readProfile(database, session)) : done
    }
  const common = {
    limit: [limit],
    present: (profile: Profile) => ({ ok: true, ...profile }) as const,
  }
  const form = { ...common, invalid: { code: 'BAD_REQUEST' } } as const

  serve(app, profileEndpoints.read).with({
    ...common,
    handle: change(() => Promise.resolve(accepted(true))),
  })
  serve(app, profileEndpoints.changeName).with({
    ...form,
    handle: change(({ session }, { name }) => changeName(database, session.userId, name)),
  })
  serve(app, profileEndpoints.changeEmail).with({
    ...form,
    handle: change(({ session }, { email }) => changeEmail(database, session.userId, email)),
  })
  serve(app, profileEndpoints.changePassword).with({
    ...form,
    handle: change(({ session, token }, { password }) =>
      changePassword(dependencies, session, { password, token }),
    ),
  })
  serve(app, profileEndpoints.endSession).with({
    ...form,
    handle: change(({ session }, { id }) => endSession(dependencies, session, id)),
  })
  serve(app, profileEndpoints.endOtherSessions).with({
    ...common,
    handle: change(async ({ session, token }) => {
      await closeOtherSessions(database, session.userId, token)
      await dependencies.gateway.closeSessions(session)
      return accepted(true)
    }),
  })
}
