import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())

const newestLine = async () =>
  (
    await shop.database.owner.query<Record<string, unknown>>(
      `select event.kind, actor.username, subject.username as tried, detail,
         confirmed_with from public.audit_events event
       left join public.staff_accounts actor on actor.user_id = event.user_id
       left join public.staff_accounts subject on subject.user_id = event.subject_user_id
       order by event.id desc limit 1`,
    )
  ).rows[0]

it('a failed sign-in adds an audit entry that names the account if it exists, and stores neither the typed username nor the typed password', async () => {
  const payload = { username: 'admin', password: 'wrong horse battery' }
  await shop.inject({ method: 'POST', url: '/api/admin/login', payload })
  await vi.waitFor(async () =>
    expect(await newestLine()).toEqual({
      kind: 'wrong_password',
      username: null,
      tried: 'admin',
      detail: null,
      confirmed_with: null,
    }),
  )
})

it('a request that the role does not permit adds an audit entry', async () => {
  await addStaffAccount(shop, 'tess', 'technician')
  const { cookie } = await signInAs(shop, 'tess')
  await shop.inject({ url: '/api/invoice/list', headers: { cookie } })
  expect(await newestLine()).toEqual({
    kind: 'not_allowed',
    username: 'tess',
    tried: null,
    detail: '/api/invoice/list',
    confirmed_with: null,
  })
})

it('an export of accountant files adds an audit entry with the exported date range', async () => {
  const payload = { kind: 'customers', from: '2026-10-01', to: '2026-10-31' }
  const headers = { cookie: await shop.logInConfirmed() }
  await shop.inject({ method: 'POST', url: '/api/accountant/file', payload, headers })
  expect(await newestLine()).toMatchObject({
    kind: 'files_exported',
    username: 'admin',
    detail: 'customers, 2026-10-01 to 2026-10-31',
    confirmed_with: 'password',
  })
})
