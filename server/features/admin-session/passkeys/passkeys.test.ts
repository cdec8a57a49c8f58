import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import {
  createOwnPasskeyBrowser,
  createPasskeyBrowser,
} from '#tests/support/app/passkey-browser.ts'
import { createSoftwareAuthenticator } from '#tests/support/app/software-authenticator.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query('delete from internal.rate_limits; delete from internal.passkeys')
})

/** Returns a simulated browser in which the admin has just confirmed the password. */
const ownBrowser = () => createOwnPasskeyBrowser(shop)

describe('a passkey', () => {
  it('signs its owner in from another browser, with the same response as a password', async () => {
    const device = createSoftwareAuthenticator()
    expect((await (await ownBrowser()).register(device)).json()).toEqual({ ok: true })
    const response = await createPasskeyBrowser(shop).signIn(device)
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      { ok: true, message: 'Login Successful', user: { username: 'admin' }, role: 'owner' },
    ])
    const { value = '' } = response.cookies.find(({ name }) => name === 'admin_session') ?? {}
    const me = await shop.inject({
      url: '/api/admin/me?session=missing',
      headers: { cookie: `admin_session=${value}` },
    })
    expect(me.json()).toMatchObject({ ok: true, user: { username: 'admin' }, session: {} })
  })

  it('can be one of several, each with its own name', async () => {
    const browser = await ownBrowser()
    await browser.register(createSoftwareAuthenticator(), 'Counter laptop')
    await browser.register(createSoftwareAuthenticator({ isSynced: true }), 'Phone')
    expect((await browser.list()).json()).toMatchObject({
      unavailableAt: null,
      passkeys: [
        { name: 'Counter laptop', lastUsedAt: null, formerHost: null, isSwitchedOff: false },
        { name: 'Phone' },
      ],
    })
  })

  it('can be renamed and removed by its owner, and cannot sign in after its removal', async () => {
    const browser = await ownBrowser()
    const device = createSoftwareAuthenticator()
    await browser.register(device)
    const { id } = await browser.firstPasskey()
    await browser.post(`/api/admin/passkeys/${id}/rename`, { name: 'Tablet' })
    expect((await browser.list()).json()).toMatchObject({ passkeys: [{ name: 'Tablet' }] })
    expect((await browser.post(`/api/admin/passkeys/${id}/remove`, {})).statusCode).toBe(200)
    expect((await createPasskeyBrowser(shop).signIn(device)).statusCode).toBe(401)
  })

  it('cannot be registered a second time', async () => {
    const browser = await ownBrowser()
    const device = createSoftwareAuthenticator()
    await browser.register(device)
    expect((await browser.register(device)).json()).toMatchObject({ code: 'PASSKEY_REFUSED' })
  })

  it('cannot be removed when its owner could not sign in without it, even by two simultaneous requests', async () => {
    const browser = await ownBrowser()
    await browser.register(createSoftwareAuthenticator())
    await browser.register(createSoftwareAuthenticator())
    const { rows } = await shop.database.owner.query<{ encrypted_password: string }>(
      `update auth.users set encrypted_password = '' returning old.encrypted_password`,
    )
    try {
      const ids = (await browser.list()).json<{ passkeys: { id: string }[] }>().passkeys
      const answers = await Promise.all(
        ids.map(({ id }) => browser.post(`/api/admin/passkeys/${id}/remove`, {})),
      )
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
        200, 409,
      ])
    } finally {
      await shop.database.owner.query('update auth.users set encrypted_password = $1', [
        rows[0]?.encrypted_password,
      ])
    }
  })
})

describe('the signature counter of a passkey', () => {
  const state = async () => {
    const { rows } = await shop.database.owner.query(
      'select counter::int, anomaly_count, is_active from internal.passkeys',
    )
    return rows[0]
  }

  /** Returns the notices to the owner that were emailed, and the notices that the next email will contain. */
  const notices = async () =>
    (
      await shop.database.owner.query<{ line: string }>(
        'select line from internal.owner_notices order by noted_at',
      )
    ).rows.map(({ line }) => line)

  it('makes the server request another response after the first outdated value, and switch the passkey off after the second', async () => {
    const device = createSoftwareAuthenticator()
    await (await ownBrowser()).register(device)
    const browser = createPasskeyBrowser(shop)
    expect((await browser.signIn(device, { counter: 8 })).statusCode).toBe(200)
    const again = await browser.signIn(device, { counter: 8 })
    expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'PASSKEY_AGAIN' }])
    expect(again.cookies).toEqual([])
    expect((await browser.signIn(device, { counter: 9 })).statusCode).toBe(200)
    expect(await state()).toEqual({ counter: 9, anomaly_count: 1, is_active: true })
    expect((await browser.signIn(device, { counter: 3 })).statusCode).toBe(401)
    expect(await state()).toEqual({ counter: 9, anomaly_count: 2, is_active: false })
    expect(await notices()).toEqual([
      'A passkey may have been copied',
      'A passkey was switched off',
    ])
    expect((await browser.signIn(device, { counter: 10 })).statusCode).toBe(401)
    const listed = await (await ownBrowser()).firstPasskey()
    expect(listed).toMatchObject({ isSwitchedOff: true })
  })

  it('counts as outdated when a second response has the same value', async () => {
    const device = createSoftwareAuthenticator()
    await (await ownBrowser()).register(device)
    const answers = await Promise.all(
      [1, 2].map(() => createPasskeyBrowser(shop).signIn(device, { counter: 5 })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ])
  })

  it('is ignored when it is always 0, or when the passkey is synced', async () => {
    const device = createSoftwareAuthenticator()
    const synced = createSoftwareAuthenticator({ isSynced: true })
    const browser = await ownBrowser()
    await browser.register(device)
    await browser.register(synced)
    for (const counter of [0, 0]) {
      expect((await browser.signIn(device, { counter })).statusCode).toBe(200)
    }
    for (const counter of [7, 2, 0]) {
      expect((await browser.signIn(synced, { counter })).statusCode).toBe(200)
    }
  })
})

it('the audit log names who added and removed a passkey, and whose passkey sent an outdated signature counter', async () => {
  const { owner } = shop.database
  await owner.query(
    `begin; set local session_replication_role = replica; delete from public.audit_events; commit`,
  )
  const browser = await ownBrowser()
  const device = createSoftwareAuthenticator()
  await browser.register(device, 'Counter laptop')
  const stranger = createPasskeyBrowser(shop)
  for (const counter of [8, 8, 8]) await stranger.signIn(device, { counter })
  const { id } = await browser.firstPasskey()
  await browser.post(`/api/admin/passkeys/${id}/remove`, {})
  const { rows } = await owner.query(
    `select kind, actor.username as by, subject.username as of, detail from public.audit_events event
     left join public.staff_accounts actor on actor.user_id = event.user_id
     left join public.staff_accounts subject on subject.user_id = event.subject_user_id
     where kind like 'passkey%' order by id`,
  )
  const common = { of: 'admin', detail: 'Counter laptop' }
  expect(rows).toEqual([
    { ...common, kind: 'passkey_added', by: 'admin' },
    { ...common, kind: 'passkey_doubted', by: null },
    { ...common, kind: 'passkey_switched_off', by: null },
    { ...common, kind: 'passkey_removed', by: 'admin' },
  ])
})
