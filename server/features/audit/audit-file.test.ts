import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addTestAccount, createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'

let shop: TestApp
let cookie: string
let adminId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.owner.query(
    `begin; set local session_replication_role = replica; delete from public.audit_events; commit`,
  )
  cookie = await shop.logIn()
  await post('/api/admin/confirm-password', { password: testAdmin.password })
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `select user_id as id from public.staff_accounts where username = 'admin'`,
  )
  adminId = rows[0]?.id ?? ''
})

const post = (url: string, payload: object, as = cookie) =>
  shop.inject({ method: 'POST', url, payload, headers: { cookie: as } })
const download = async (filter: object = {}) => {
  const response = await post('/api/audit/file', filter)
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  return response.body.trim().split('\r\n')
}

it('the downloaded audit file contains all audit entries, including the entry of its own download', async () => {
  const [head, ...lines] = await download()
  expect(head).toBe(
    'Time (UTC),What,Who,Role,Account,Invoice,Sum (USD),Detail,Device,Network address,Confirmed with',
  )
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,signed in,admin,owner,/)
  expect(lines[1]).toMatch(/,files exported,admin,owner,,,,audit,,,password$/)
})

it('the downloaded audit file contains only the entries that match the filters of the audit page', async () => {
  await shop.database.owner.query(
    `insert into public.audit_events (kind, happened_at) values ('erased', now() - interval '8 days'), ('erased', now())`,
  )
  expect(await download({ what: 'sign-ins' })).toHaveLength(2)
  expect(await download({ what: 'exports', days: 7, who: adminId })).toHaveLength(3)
  const week = (await download({ what: 'exports', days: 7 })).filter((line) =>
    line.includes('erased'),
  )
  expect(week).toHaveLength(1)
})

it('the audit file download is refused without a recent password confirmation, and for an advisor', async () => {
  expect((await post('/api/audit/file', {}, await shop.logIn())).json()).toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
  const lena = { username: 'lena', password: 'the password of lena', role: 'advisor' } as const
  await addTestAccount(shop.database, lena)
  const theirs = await shop.logIn(lena)
  await post('/api/admin/confirm-password', { password: lena.password }, theirs)
  expect((await post('/api/audit/file', {}, theirs)).statusCode).toBe(403)
})
