import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openAuth } from '@local/data-service'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { findAdminSession, openAdminSession } from '../admin-sessions.ts'
import { embeddedAuthGateway } from '../gateway/embedded-auth-gateway.ts'
import { ensureAdmin } from './ensure-admin.ts'
import { generatePassword } from './generate-password.ts'
import { setAdminPassword } from './set-admin-password.ts'

const origin = { device: 'Chrome on Windows', networkAddress: '192.0.2.1' }

let test: TestDatabase
beforeEach(async () => {
  test = await createTestDatabase()
})
afterEach(() => test.drop())

function start(environment: Record<string, string> = {}) {
  const config = readConfig({ NODE_ENV: 'test', ...environment })
  if (!config.ok) throw new Error(config.refusal.join())
  return ensureAdmin({ database: test.database, keys: testKeys }, config.value, fastPasswords)
}

async function openGateway() {
  const auth = await openAuth({
    database: test.database,
    keys: testKeys,
    now: Date.now,
    publicUrl: 'http://test',
    passwords: fastPasswords,
  })
  return embeddedAuthGateway(auth)
}

describe('the first start', () => {
  it('creates the admin with a generated password, prints the password once, and the password works', async () => {
    const created = await start()
    expect(created?.username).toBe('admin')
    const gateway = await openGateway()
    const signedIn = await gateway.signIn('admin', created?.generatedPassword ?? '', 'unknown')
    expect(signedIn.ok && signedIn.value.admin.username).toBe('admin')
    expect(await start()).toBeUndefined()
  })

  it('uses the configured name and password, and does not print the password', async () => {
    const settings = { ADMIN_USERNAME: 'maria', ADMIN_PASSWORD: 'chosen by the owner' }
    expect(await start(settings)).toEqual({ username: 'maria', generatedPassword: undefined })
    const gateway = await openGateway()
    expect((await gateway.signIn('maria', 'chosen by the owner', 'unknown')).ok).toBe(true)
  })

  it('leaves an existing admin unchanged when the settings later contain another name or password', async () => {
    await start({ ADMIN_PASSWORD: 'the first password' })
    expect(await start({ ADMIN_PASSWORD: 'another password' })).toBeUndefined()
    expect(await start({ ADMIN_USERNAME: 'second', ADMIN_PASSWORD: 'too short' })).toBeUndefined()
    const gateway = await openGateway()
    expect((await gateway.signIn('admin', 'the first password', 'unknown')).ok).toBe(true)
    expect((await gateway.signIn('second', 'too short', 'unknown')).ok).toBe(false)
  })

  it('refuses a configured password that is short or common, and creates no admin', async () => {
    await expect(start({ ADMIN_PASSWORD: 'elevenchars' })).rejects.toThrow(
      'ADMIN_PASSWORD: must have at least 12 characters',
    )
    await expect(start({ ADMIN_PASSWORD: 'qwerty123456' })).rejects.toThrow('most common passwords')
    expect((await test.owner.query('select from auth.users')).rowCount).toBe(0)
  })

  it('creates only one admin when two processes start at the same time', async () => {
    const created = await Promise.all([start(), start()])
    expect(created.filter((admin) => admin !== undefined)).toHaveLength(1)
  })
})

describe('setting a new password', () => {
  it('replaces the old password and signs the admin out everywhere', async () => {
    await start({ ADMIN_PASSWORD: 'the first password' })
    const gateway = await openGateway()
    const signedIn = await gateway.signIn('admin', 'the first password', 'unknown')
    if (!signedIn.ok) throw new Error('not signed in')
    const { admin, opened } = signedIn.value
    const cookie = await openAdminSession(test.database, admin, opened.id, origin)
    const changed = await setAdminPassword(
      { database: test.database, gateway },
      'admin',
      'the second password',
    )
    expect(changed.ok).toBe(true)
    expect((await gateway.signIn('admin', 'the first password', 'unknown')).ok).toBe(false)
    expect((await gateway.signIn('admin', 'the second password', 'unknown')).ok).toBe(true)
    expect(cookie).toBeDefined()
    expect(await findAdminSession(test.database, cookie ?? '')).toBeUndefined()
    const { rows } = await test.owner.query('select from auth.sessions where id = $1', [opened.id])
    expect(rows).toEqual([])
  })

  it('fails when no admin has the given username', async () => {
    const gateway = await openGateway()
    const outcome = await setAdminPassword(
      { database: test.database, gateway },
      'nobody',
      'some password',
    )
    expect(outcome).toEqual({ ok: false, refusal: 'UNKNOWN_USERNAME' })
  })
})

it('generated passwords are long and readable, and differ from each other', () => {
  const passwords = Array.from({ length: 200 }, generatePassword)
  for (const password of passwords) {
    expect(password).toMatch(/^([a-km-np-z2-9]{4}-){4}[a-km-np-z2-9]{4}$/)
  }
  expect(new Set(passwords).size).toBe(200)
})
