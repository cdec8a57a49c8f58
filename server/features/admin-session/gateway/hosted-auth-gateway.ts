import { decodeJwt } from 'jose'
import * as z from 'zod/mini'
import { dataSession } from '#contracts/admin-session.ts'
import { accepted, refused } from '#domain/result.ts'
import {
  type Admin,
  adminMetadata,
  type AuthGateway,
  type OpenedSession,
  staffEmail,
} from './auth-gateway.ts'

export type HostedOptions = {
  readonly url: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly fetch?: typeof fetch
}

const timeoutMs = 10_000

const user = z.object({
  id: z.string(),
  email: z.optional(z.string()),
  app_metadata: z._default(
    z.object({ role: z.optional(z.string()), username: z.optional(z.string()) }),
    {},
  ),
})
const signedIn = z.extend(dataSession, { user })
const link = z.object({ hashed_token: z.string() })

/** Calls the auth service of a hosted Supabase project over HTTP. */
export function hostedAuthGateway(options: HostedOptions): AuthGateway {
  const call = createCall(options)
  const asService = { key: options.serviceRoleKey }
  const asVisitor = { key: options.anonKey }

  const listAdmins = async () => {
    const response = await call('GET', '/admin/users?per_page=1000', asService)
    const { users } = expectOk(response, z.object({ users: z.array(user) }))
    return users.filter(({ app_metadata }) => app_metadata.role === 'admin')
  }
  const findAdmin = async (username: string) => {
    const found = (await listAdmins()).find(({ email }) => email === staffEmail(username))
    return found && adminOf(found)
  }
  const openSession = async ({ username }: Admin): Promise<OpenedSession | undefined> => {
    // The server redeems a login link itself, because the auth service offers no other method to create a session
    // without the password.
    const body = { type: 'magiclink', email: staffEmail(username) }
    const made = await call('POST', '/admin/generate_link', asService, body)
    if (made.status === 404 || made.status === 422) return undefined
    const { hashed_token } = expectOk(made, link)
    const redeem = { type: 'magiclink', token_hash: hashed_token }
    const response = expectOk(await call('POST', '/verify', asVisitor, redeem), signedIn)
    return adminOf(response.user) && opened(response)
  }
  const logOut = async (token: string, scope: 'local' | 'global') => {
    await call('POST', `/logout?scope=${scope}`, { key: options.anonKey, token })
  }

  return {
    openSession,
    async signIn(username, password) {
      const body = { email: staffEmail(username), password }
      const response = await call('POST', '/token?grant_type=password', asVisitor, body)
      if (response.status === 429) return refused('RATE_LIMITED')
      if (response.status === 400 || response.status === 422) return refused('INVALID_CREDENTIALS')
      const session = expectOk(response, signedIn)
      const admin = adminOf(session.user)
      if (admin) return accepted({ admin, opened: opened(session) })
      await logOut(session.access_token, 'local')
      return refused('INVALID_CREDENTIALS')
    },
    closeSession: ({ session }) => logOut(session.access_token, 'local'),
    async closeSessions(admin) {
      // The API of the hosted auth service ends a single session only with that session's access token, which only the
      // browser has. The server therefore ends all data sessions (tokens for the REST API) of the user. A browser that
      // is still signed in to the dashboard receives a new data session.
      const fresh = await openSession(admin)
      if (fresh) await logOut(fresh.session.access_token, 'global')
    },
    findAdmin,
    async recordRole(userId, role) {
      const body = { role: `shop_${role}` }
      expectOk(await call('PUT', `/admin/users/${userId}`, asService, body), user)
    },
    async createAdmin(account) {
      const { username, role } = account
      const response = await call('POST', '/admin/users', asService, {
        email: staffEmail(username),
        ...('password' in account ? { password: account.password } : { id: account.userId }),
        email_confirm: true,
        role: `shop_${role}`,
        app_metadata: adminMetadata(username),
      })
      if (response.status === 422) return refused('USERNAME_TAKEN')
      return accepted({ userId: expectOk(response, user).id, username })
    },
    async setPassword(username, password) {
      const admin = await findAdmin(username)
      if (!admin) return refused('UNKNOWN_USERNAME')
      expectOk(await call('PUT', `/admin/users/${admin.userId}`, asService, { password }), user)
      return accepted(admin)
    },
    async deleteUser(userId) {
      const response = await call('DELETE', `/admin/users/${userId}`, asService)
      if (response.status !== 404) expectOk(response, z.unknown())
    },
  }
}

type HostedResponse = { readonly status: number; readonly body: unknown }
type Credentials = { readonly key: string; readonly token?: string }

function createCall({ url, fetch: send = fetch }: HostedOptions) {
  return async (
    method: string,
    path: string,
    { key, token = key }: Credentials,
    body?: object,
  ): Promise<HostedResponse> => {
    const response = await send(`${url}/auth/v1${path}`, {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Parses a response of the hosted auth service. A response with an unknown format counts as an outage. */
function expectOk<Schema extends z.ZodMiniType>(
  response: HostedResponse,
  schema: Schema,
): z.infer<Schema> {
  const parsed = z.safeParse(schema, response.body)
  if (response.status >= 300 || !parsed.success) {
    throw new Error(`The hosted auth service returned the unexpected status ${response.status}`)
  }
  return parsed.data
}

function adminOf({
  id,
  app_metadata: { role, username },
}: z.infer<typeof user>): Admin | undefined {
  return role === 'admin' && username !== undefined ? { userId: id, username } : undefined
}

/**
 * Reads the session id from an access token without checking the signature, because the server received the token
 * directly from the auth service.
 */
function opened(session: z.infer<typeof signedIn>): OpenedSession {
  const claims = z.parse(z.object({ session_id: z.string() }), decodeJwt(session.access_token))
  return { id: claims.session_id, session }
}
