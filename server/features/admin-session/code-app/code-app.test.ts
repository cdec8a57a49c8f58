import * as otpauth from 'otpauth'
import { openAuth } from '@local/data-service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { setAdminPassword } from '../accounts/set-admin-password.ts'
import { openAuthGateway } from '../gateway/open-auth-gateway.ts'

let shop: TestApp
let cookie = ''
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.owner.query(
    'delete from internal.code_apps; delete from internal.rate_limits',
  )
  shop.forgetRefusals()
  cookie = await shop.logInConfirmed()
})

const send = (path: string, payload: object = {}) =>
  shop.inject({
    method: 'POST',
    url: `/api/admin/code-app/${path}`,
    payload,
    headers: { cookie },
  })
const read = async () =>
  (await shop.inject({ url: '/api/admin/code-app', headers: { cookie } })).json<{
    since: string | null
    recoveryCodesLeft: number
  }>()

async function switchOn() {
  const { secret, address } = (await send('start')).json<{ secret: string; address: string }>()
  const code = new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret) }).generate()
  const confirmed = await send('confirm', { code })
  return { secret, address, ...confirmed.json<{ recoveryCodes: string[] }>() }
}

describe('the authenticator app', () => {
  it('is off at first, and is switched on by one correct code', async () => {
    expect(await read()).toEqual({ ok: true, since: null, recoveryCodesLeft: 0 })
    const { secret, address, recoveryCodes } = await switchOn()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(address).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}.*period=30/)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await read()).toMatchObject({ since: expect.any(String), recoveryCodesLeft: 10 })
  })

  it('stays off after a wrong code', async () => {
    await send('start')
    expect((await send('confirm', { code: 'abcdef' })).json()).toMatchObject({ code: 'WRONG_CODE' })
    expect(await read()).toMatchObject({ since: null })
  })

  it('keeps its secret while it is on: a request for another secret is refused', async () => {
    await switchOn()
    expect((await send('start')).json()).toMatchObject({ code: 'CODE_APP_ON' })
  })

  it('has its secret and its recovery codes stored in the database only in encrypted or hashed form', async () => {
    const { secret, recoveryCodes } = await switchOn()
    const { rows } = await shop.database.owner.query(
      `select sealed_secret, (select string_agg(encode(code_hash, 'escape'), ' ') from internal.recovery_codes) as codes
       from internal.code_apps`,
    )
    const stored = JSON.stringify(rows)
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text)
  })

  it('gets new recovery codes on request, which invalidate all earlier ones', async () => {
    const { recoveryCodes } = await switchOn()
    const renewed = (await send('recovery-codes')).json<{ recoveryCodes: string[] }>()
    expect(renewed.recoveryCodes).toHaveLength(10)
    expect(renewed.recoveryCodes.filter((code) => recoveryCodes.includes(code))).toEqual([])
    expect(await read()).toMatchObject({ recoveryCodesLeft: 10 })
  })

  it('has no recovery codes while it is off', async () => {
    expect((await send('recovery-codes')).json()).toMatchObject({ code: 'CODE_APP_OFF' })
  })

  it('is removed when it is switched off; then the password alone signs in again', async () => {
    await switchOn()
    expect((await send('switch-off')).statusCode).toBe(200)
    expect(await read()).toMatchObject({ since: null, recoveryCodesLeft: 0 })
    expect(await shop.logIn()).not.toBe('')
  })

  it('is removed when the server sets a new password', async () => {
    await switchOn()
    const { database, config } = shop
    const auth = await openAuth({
      database: database.database,
      keys: testKeys,
      now: Date.now,
      publicUrl: config.publicUrl,
      passwords: fastPasswords,
    })
    const gateway = openAuthGateway(config, auth)
    const { username, password } = testAdmin
    await setAdminPassword({ database: database.database, gateway }, username, password)
    const { rows } = await database.owner.query('select from internal.code_apps')
    expect(rows).toHaveLength(0)
    expect(await shop.logIn()).not.toBe('')
  })
})
