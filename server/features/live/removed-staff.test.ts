import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startServer, type ServerProcess } from '#tests/support/app/server-process.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

const login = { username: 'lena', password: 'correct horse battery' }
/** The test needs a second owner, because the last owner of a shop cannot be removed. */
const otherOwner = '00000000-0000-4000-8000-00000000000c'

let shop: TestDatabase
let processes: ServerProcess[]
beforeAll(async () => {
  shop = await createTestDatabase()
  const environment = {
    DATABASE_URL: shop.ownerUrl,
    RATE_LIMITS: 'off',
    ADMIN_USERNAME: login.username,
    ADMIN_PASSWORD: login.password,
  }
  processes = [await startServer(environment), await startServer(environment)]
  await shop.owner.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'other', 'owner')`,
    [otherOwner],
  )
}, 120_000)
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end()))
  await shop.drop()
})

const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })
const anonKey = config.ok ? config.value.anonKey : ''

/** Signs in at the server process with this URL, and opens a live event stream there. */
async function openTab({ url }: ServerProcess) {
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { session } = (await response.json()) as { session: { access_token: string } }
  const stream = await fetch(`${url}/api/admin/live`, { headers: { cookie } })
  let isOpen = true
  let text = ''
  void (async () => {
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
  })().finally(() => (isOpen = false))
  await expect.poll(() => text).toContain('event: refetch')
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers })).status
  return {
    /**
     * Returns whether the event stream is still open, and the HTTP statuses of three requests: to a staff endpoint, for
     * a new event stream, and to the REST API.
     */
    reach: async () => ({
      isOpen,
      endpoint: await statusOf('/api/outbox', { cookie }),
      stream: await statusOfStream(url, cookie),
      bookings: await statusOf('/rest/v1/bookings?select=customer_phone', {
        apikey: anonKey,
        authorization: `Bearer ${session.access_token}`,
      }),
    }),
    heard: () => text,
  }
}

async function statusOfStream(url: string, cookie: string): Promise<number> {
  const response = await fetch(`${url}/api/admin/live`, { method: 'HEAD', headers: { cookie } })
  return response.status
}

describe('an open dashboard tab at each of two server processes', () => {
  it.each([
    ['is switched off', 'is_active = false', { endpoint: 401, stream: 401, bookings: 401 }],
    ['becomes a technician', `role = 'technician'`, { endpoint: 403, stream: 200, bookings: 403 }],
  ])(
    'loses its event stream and its access to other data within five seconds after its account %s',
    async (_, change, statuses) => {
      await shop.owner.query(
        `update public.staff_accounts set role = 'owner', is_active = true where username = $1`,
        [login.username],
      )
      const tabs = await Promise.all(processes.map(openTab))
      for (const tab of tabs) {
        expect(await tab.reach()).toEqual({
          isOpen: true,
          endpoint: 200,
          stream: 200,
          bookings: 200,
        })
      }
      await shop.owner.query(`update public.staff_accounts set ${change} where username = $1`, [
        login.username,
      ])
      await expect
        .poll(() => Promise.all(tabs.map((tab) => tab.reach())), { timeout: 5_000 })
        .toEqual(tabs.map(() => ({ isOpen: false, ...statuses })))
      await shop.owner.query(`select pg_notify('invoices_changed', 'in_after_the_end')`)
      expect(tabs.map((tab) => tab.heard().includes('in_after_the_end'))).toEqual([false, false])
    },
    30_000,
  )
})
