import { accepted, refused } from '#domain/result.ts'
import {
  asAuth,
  type AuthContext,
  createUser,
  deleteUser,
  findUser,
  findUserByEmail,
  isBanned,
  setPassword,
  signIn,
  startSession,
  type User,
} from '@local/data-service'
import { createPasswordQueues, type PasswordQueues } from '../sign-in/password-queues.ts'
import { type Admin, adminMetadata, type AuthGateway, staffEmail } from './auth-gateway.ts'

/** Calls the auth service of this process directly, without HTTP. */
export function embeddedAuthGateway(
  auth: AuthContext,
  queues: PasswordQueues = createPasswordQueues(),
): AuthGateway {
  const endSession = async (id: string) => {
    await auth.database.transaction(asAuth, (query) =>
      query('delete from auth.sessions where id = $1', [id]),
    )
  }

  return {
    async signIn(username, password, queue) {
      const outcome = await signIn(auth, { email: staffEmail(username), password }, queues[queue])
      if (!outcome.ok) return refused(outcome.refusal === 'busy' ? 'BUSY' : 'INVALID_CREDENTIALS')
      const { user, sessionId: id, session } = outcome.value
      const admin = adminOf(user)
      if (admin) return accepted({ admin, opened: { id, session } })
      await endSession(id)
      return refused('INVALID_CREDENTIALS')
    },
    openSession: (admin, endsAtMs) =>
      auth.database.transaction(asAuth, async (query) => {
        const user = await findUser(query, admin.userId)
        if (!user || !adminOf(user) || isBanned(user, auth.now())) return undefined
        const { sessionId: id, session } = await startSession(auth, query, user, endsAtMs)
        return { id, session }
      }),
    closeSession: ({ id }) => endSession(id),
    closeSessions: () => Promise.resolve(),
    async findAdmin(username) {
      const found = await auth.database.transaction(asAuth, (query) =>
        findUserByEmail(query, staffEmail(username)),
      )
      return found && adminOf(found.user)
    },
    recordRole: () => Promise.resolve(),
    async createAdmin(account) {
      const { username } = account
      const created = await createUser(auth, {
        email: staffEmail(username),
        password: 'password' in account ? account.password : undefined,
        id: 'userId' in account ? account.userId : undefined,
        appMetadata: adminMetadata(username),
      })
      return created.ok
        ? accepted({ userId: created.value.id, username })
        : refused('USERNAME_TAKEN')
    },
    async setPassword(username, password) {
      const changed = await setPassword(auth, staffEmail(username), password)
      const admin = changed.ok ? adminOf(changed.value) : undefined
      return admin ? accepted(admin) : refused('UNKNOWN_USERNAME')
    },
    deleteUser: (userId) => deleteUser(auth, userId),
  }
}

function adminOf({ id, raw_app_meta_data: metadata }: User): Admin | undefined {
  const { role, username } = metadata
  return role === 'admin' && typeof username === 'string' ? { userId: id, username } : undefined
}
