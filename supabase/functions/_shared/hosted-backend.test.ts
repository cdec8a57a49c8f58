import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { callerOf, serveHosted } from './hosted-backend.ts'

const claims = { role: 'authenticated', app_metadata: { role: 'admin' } }
const unsigned = `e30.${btoa(JSON.stringify(claims))}.x`

/** The users of the fake hosted Supabase project, by access token; its auth service accepts only these two tokens. */
const users: Record<string, object> = {
  'Bearer of-an-advisor': { id: '1', app_metadata: {} },
  'Bearer of-a-technician': { id: '2', app_metadata: { role: 'admin' } },
  'Bearer of-somebody': { id: '3', app_metadata: {}, user_metadata: { role: 'admin' } },
}
/** The active staff accounts of the fake hosted Supabase project, by user id. */
const roles: Record<string, string> = { '1': 'advisor', '2': 'technician' }
const accountsUrl = 'https://project.example/rest/v1/staff_accounts'

function readAccounts(url: string): Response {
  const asked = new URL(url).searchParams
  expect([asked.get('select'), asked.get('is_active')]).toEqual(['role', 'eq.true'])
  const role = roles[asked.get('user_id')?.replace('eq.', '') ?? '']
  return Response.json(role === undefined ? [] : [{ role }])
}
const project = createClient('https://project.example', 'service-role-key', {
  auth: { persistSession: false, autoRefreshToken: false },
  global: {
    fetch: (url, init) => {
      const user = users[new Headers(init?.headers).get('authorization') ?? '']
      const requested = new Request(url).url
      if (requested.startsWith(accountsUrl)) return Promise.resolve(readAccounts(requested))
      const isUserRequest = requested === 'https://project.example/auth/v1/user' && user
      return Promise.resolve(
        isUserRequest
          ? Response.json(user)
          : Response.json({ code: 403, msg: 'bad jwt' }, { status: 403 }),
      )
    },
  },
})

const sendRequest = (headers: Record<string, string>) =>
  callerOf(project)(new Request('https://project.example/functions/v1/any', { headers }))

test('an access token counts as the admin only if its user has the staff account of an owner or advisor', async () => {
  const isAdmin = async (token: string) => {
    const caller = await sendRequest({ authorization: `Bearer ${token}` })
    expect(caller).toMatchObject({ role: 'authenticated', sender: {} })
    return caller.isAdmin
  }
  expect(await isAdmin('of-an-advisor')).toBe(true)
  expect(await isAdmin('of-a-technician')).toBe(false)
  expect(await isAdmin('of-somebody')).toBe(false)
})

test('an access token without a valid signature does not count as the admin, whether or not the gateway verifies tokens', async () => {
  const visitor = { role: 'anon', isAdmin: false, sender: {} }
  expect(await sendRequest({ authorization: `Bearer ${unsigned}` })).toEqual(visitor)
  expect(await sendRequest({ authorization: 'Bearer service-role-key' })).toEqual(visitor)
  expect(await sendRequest({})).toEqual(visitor)
})

test('a server function that does not identify its caller treats every caller as a visitor', async () => {
  const serve = serveHosted((_request, caller) => Promise.resolve(Response.json(caller)), {
    report: () => undefined,
  })
  const sender = { 'x-form-token': 'a-token', 'cf-connecting-ip': '203.0.113.7' }
  const spoofed = { 'x-forwarded-for': '192.0.2.1', 'x-client-address-hash': 'anybody' }
  const headers = { authorization: `Bearer ${unsigned}`, ...sender, ...spoofed }
  const response = await serve(new Request('https://project.example/', { method: 'POST', headers }))
  expect(await response.json()).toEqual({ role: 'anon', isAdmin: false, sender })
})

test('a failure of a server function is logged, and the response contains no details of it', async () => {
  const reported: unknown[] = []
  const failure = new Error('The database refused: 42501')
  const serve = serveHosted(() => Promise.reject(failure), { report: (e) => reported.push(e) })
  const response = await serve(new Request('https://project.example/', { method: 'POST' }))
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.not.stringContaining('42501'),
  ])
  expect(reported).toEqual([failure])
})
