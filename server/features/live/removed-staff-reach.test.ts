import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPasswords, openAuth } from '@local/data-service'
import { endpoints } from '#contracts/api/endpoints.ts'
import { teamCommands } from '#contracts/team.ts'
import { readConfig } from '#server/config.ts'
import { createStaffAccount } from '#server/features/admin-session/accounts/create-staff-account.ts'
import { embeddedAuthGateway } from '#server/features/admin-session/gateway/embedded-auth-gateway.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { issueSignInCode } from '#server/features/admin-session/sign-in/sign-in-codes.ts'
import { startServer, type ServerProcess } from '#tests/support/app/server-process.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

const password = 'correct horse battery'
const lena = { username: 'lena', password }
const mei = { username: 'mei', password }
const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
const apikey = config.ok ? config.value.anonKey : ''

let shop: TestDatabase
let processes: ServerProcess[]
let meiId = ''
beforeAll(async () => {
  shop = await createTestDatabase()
  const environment = {
    DATABASE_URL: shop.ownerUrl,
    RATE_LIMITS: 'off',
    ADMIN_USERNAME: lena.username,
    ADMIN_PASSWORD: lena.password,
  }
  processes = [await startServer(environment), await startServer(environment)]
  meiId = await addOwner()
}, 120_000)
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end()))
  await shop.drop()
})

/** Creates a second owner account 'mei' with a password. Returns the user id. */
async function addOwner(): Promise<string> {
  const { database } = shop
  const publicUrl = 'http://localhost'
  const passwords = createPasswords()
  const auth = await openAuth({ database, keys: testKeys, now: Date.now, publicUrl, passwords })
  const gateway = embeddedAuthGateway(auth)
  const created = await createStaffAccount({ database, gateway }, { ...mei, role: 'owner' })
  if (!created.ok) throw new Error(created.refusal)
  return created.value.userId
}

type Sent = { readonly method?: string; readonly body?: object; readonly headers?: object }

/** Sends a request as a script does, with a JSON body if there is one. */
const send = (url: string, { method = 'GET', body, headers = {} }: Sent = {}) =>
  fetch(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

/**
 * Signs in and confirms the password. Returns all credentials that a dashboard tab has and that an attacker could steal
 * from the tab.
 */
async function signIn({ url }: ServerProcess, account: typeof mei) {
  const response = await send(`${url}/api/admin/login`, { method: 'POST', body: account })
  expect(response.status).toBe(200)
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { session } = (await response.json()) as {
    session: { access_token: string; refresh_token: string }
  }
  const confirmed = await send(`${url}/api/admin/confirm-password`, {
    method: 'POST',
    body: { password },
    headers: { cookie },
  })
  expect(confirmed.status).toBe(200)
  const authorization = `Bearer ${session.access_token}`
  return { cookie, apikey, authorization, refreshToken: session.refresh_token }
}
type Tab = Awaited<ReturnType<typeof signIn>>

/**
 * Opens the live event stream. The returned function returns the time at which the stream was closed; undefined while
 * the stream is open.
 */
async function openStream({ url }: ServerProcess, { cookie }: Tab) {
  const stream = await send(`${url}/api/admin/live`, { headers: { cookie } })
  expect(stream.status).toBe(200)
  let closedAt: number | undefined
  void stream.text().finally(() => (closedAt = performance.now()))
  return () => closedAt
}

/**
 * Calls all endpoints that require a staff account, with the session cookie of a dashboard tab. Returns the HTTP
 * statuses.
 */
async function reachEndpoints({ url }: ServerProcess, { cookie }: Tab) {
  const ofStaff = endpoints.filter(({ rights }) => ['staff', 'admin', 'owner'].includes(rights))
  const statuses: [string, number][] = []
  for (const { method, path } of ofStaff) {
    const filled = `${url}${path.replaceAll(/:\w+/g, randomUUID())}`
    // A HEAD request runs the same checks as GET, but does not keep the live event stream open.
    const sent = method === 'GET' ? { method: 'HEAD' } : { method, body: {} }
    const { status } = await send(filled, { ...sent, headers: { cookie } })
    statuses.push([`${method} ${path}`, status])
  }
  return statuses
}

/**
 * Requests each table and view of the REST API with each of the HTTP `methods`, and each function with POST. Returns
 * the HTTP statuses.
 */
async function reachData({ url }: ServerProcess, { authorization }: Tab, methods: string[]) {
  const headers = { apikey, authorization }
  const statuses: [string, number][] = []
  for (const { path, isFunction } of await listRestPaths()) {
    const verbs = isFunction ? methods.filter((method) => method === 'POST') : methods
    for (const method of verbs) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined
      const sent = { method, headers, ...(body && { body }) }
      const { status } = await send(`${url}/rest/v1/${path}`, sent)
      statuses.push([`${method} ${path}`, status])
    }
  }
  return statuses
}

async function listRestPaths() {
  const { rows } = await shop.owner.query<{ path: string; isFunction: boolean }>(
    `select relname || '?limit=1' as path, false as "isFunction" from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
     union select 'rpc/' || proname, true from pg_proc
     where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
     order by path`,
  )
  return rows
}

/**
 * Tries to sign in again in four ways: at the auth service with the refresh token and the password, at the dashboard
 * with the password and a one-time code. Then tries to read the current user. Returns the HTTP statuses.
 */
async function reachAgain({ url }: ServerProcess, tab: Tab, oneTimeCode: string) {
  const { authorization } = tab
  const post = async (path: string, body: object) =>
    (await send(`${url}${path}`, { method: 'POST', body, headers: { apikey } })).status
  const token = '/auth/v1/token?grant_type='
  return {
    refresh: await post(`${token}refresh_token`, { refresh_token: tab.refreshToken }),
    grant: await post(`${token}password`, { email: staffEmail(mei.username), password }),
    password: await post('/api/admin/login', mei),
    code: await post('/api/admin/login', { username: mei.username, password: oneTimeCode }),
    user: (await send(`${url}/auth/v1/user`, { headers: { apikey, authorization } })).status,
  }
}

const reached = (statuses: readonly [string, number][]) =>
  statuses.filter(([, status]) => status !== 401)

it('A deactivated owner loses access to all endpoints, tables, functions and live event streams of both server processes', async () => {
  const [first, second] = processes as [ServerProcess, ServerProcess]
  // Before the deactivation, the server refuses no request with 401. This proves that the later refusals result from
  // the deactivation.
  const before = await signIn(first, mei)
  const endpointsBefore = await reachEndpoints(second, before)
  expect(endpointsBefore.filter(([, status]) => status === 401)).toEqual([])
  const dataBefore = await reachData(second, await signIn(first, mei), ['GET'])
  expect(dataBefore.filter(([, status]) => status === 401)).toEqual([])
  expect([endpointsBefore.length, dataBefore.length].every((count) => count > 40)).toBe(true)
  const tabs = [await signIn(first, mei), await signIn(second, mei)]
  const streams = await Promise.all(
    processes.flatMap((each) => tabs.map((tab) => openStream(each, tab))),
  )
  const user = { userId: meiId, username: mei.username }
  const oneTimeCode = await issueSignInCode(shop.database, user, Date.now())

  const remover = await signIn(second, lena)
  const removed = await send(`${second.url}${teamCommands.switchOff.path}`, {
    method: 'POST',
    body: { commandId: randomUUID(), input: { accountId: meiId, giveTasksTo: null } },
    headers: { cookie: remover.cookie },
  })
  expect(removed.status).toBe(200)

  const removedAt = performance.now()
  for (const each of processes) {
    for (const tab of tabs) {
      expect(reached(await reachEndpoints(each, tab))).toEqual([])
      expect(await reachAgain(each, tab, oneTimeCode)).toEqual({
        refresh: 400,
        grant: 400,
        password: 401,
        code: 401,
        user: 403,
      })
    }
    const [tab] = tabs
    if (tab)
      expect(reached(await reachData(each, tab, ['GET', 'POST', 'PATCH', 'DELETE']))).toEqual([])
  }
  await expect.poll(() => streams.filter((closedAt) => closedAt() === undefined)).toEqual([])
  const waits = streams.map((closedAt) => (closedAt() ?? Infinity) - removedAt)
  expect(waits.filter((wait) => wait > 5_000)).toEqual([])
}, 120_000)
