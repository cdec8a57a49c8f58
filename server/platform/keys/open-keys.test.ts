import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { StartupError } from '@local/postgres'
import { openKeys, renewProcessKeys } from './open-keys.ts'

let shop: TestDatabase
let root: string
beforeAll(async () => {
  shop = await createTestDatabase()
  root = mkdtempSync(join(tmpdir(), 'torque-keys-'))
})
afterAll(async () => {
  await shop.drop()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => shop.owner.query('delete from internal.secrets'))

let machines = 0
const newMachine = () => join(root, `machine-${(machines += 1)}`)
const open = (dataDirectory: string, isShared: boolean, ownerUrl = shop.ownerUrl) =>
  openKeys({ ownerUrl, dataDirectory, isShared })
const stored = async () => {
  const { rows } = await shop.owner.query<{ name: string; value: string }>(
    'select name, value from internal.secrets',
  )
  return new Map(rows.map(({ name, value }) => [name, value]))
}
const fileOf = (dataDirectory: string, name: string) =>
  readFileSync(join(dataDirectory, 'keys', name), 'utf8').trim()
const keyFile = (dataDirectory: string) => join(dataDirectory, 'keys', 'access_token_key')

describe('the keys of a shop', () => {
  it('are created once, in files that other users cannot read', async () => {
    const machine = newMachine()
    const keys = await open(machine, false)
    expect(await open(machine, false)).toEqual(keys)
    expect(new Set(Object.values(keys)).size).toBe(5)
    const folder = join(machine, 'keys')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const files = readdirSync(folder)
    expect(files).toHaveLength(6)
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    expect([...(await stored()).keys()]).toEqual(['visit_key'])
  })

  it('replace the keys of an earlier site version, whose backups contained keys, except the key that signs links in emails', async () => {
    const names = ['access_token_key', 'refresh_token_key', 'pdf_link_key', 'address_key']
    for (const name of [...names, 'visit_key', 'form_key']) {
      await shop.owner.query('insert into internal.secrets values ($1, $2)', [
        name,
        `${name}_${'x'.repeat(32)}`,
      ])
    }
    const machine = newMachine()
    const keys = await open(machine, false)
    expect(Object.values(keys).filter((key) => key.includes('x'.repeat(32)))).toEqual([])
    for (const name of names) expect(fileOf(machine, name)).not.toContain('x'.repeat(32))
    expect(fileOf(machine, 'visit_key')).toBe(`visit_key_${'x'.repeat(32)}`)
    expect([...(await stored()).keys()].toSorted()).toEqual(['form_key', 'visit_key'])
  })

  it('are reported with a message when a key file is damaged or unreadable', async () => {
    const machine = newMachine()
    await open(machine, false)
    writeFileSync(keyFile(machine), 'half')
    const error: unknown = await open(machine, false).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartupError)
    expect(String(error)).toContain('is damaged')
    rmSync(keyFile(machine))
    mkdirSync(keyFile(machine))
    await expect(open(machine, false)).rejects.toThrow(/cannot be used \(EISDIR\)/)
  })
})

describe('the keys of processes on several machines', () => {
  it('are the same when all processes start at the same time', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => open(newMachine(), true)))
    for (const keys of all) expect(keys).toEqual(all[0])
  })

  it('replace unencrypted keys of an earlier version, and the database stores them only in encrypted form', async () => {
    const former = `access_token_key_${'x'.repeat(32)}`
    await shop.owner.query(`insert into internal.secrets values ('access_token_key', $1)`, [former])
    const one = await open(newMachine(), true)
    const other = await open(newMachine(), true)
    expect(one.accessTokens).not.toBe(former)
    expect(other).toEqual(one)
    const rows = await stored()
    for (const key of Object.values(one)) expect([...rows.values()].join()).not.toContain(key)
    expect(rows.get('access_token_key')).toMatch(/^sealed\./)
  })

  it('are read from the database when it contains newer keys than the key file', async () => {
    const [one, other] = [newMachine(), newMachine()]
    const first = await open(one, true)
    await open(other, true)
    await shop.owner.query('delete from internal.secrets')
    await renewProcessKeys({ ownerUrl: shop.ownerUrl, dataDirectory: one, isShared: true })
    const next = await open(one, true)
    for (const key of Object.values(first)) expect(Object.values(next)).not.toContain(key)
    expect(await open(other, true)).toEqual(next)
    expect(fileOf(other, 'access_token_key')).toBe(next.accessTokens)
  })

  it('remain valid after the password of the database has changed', async () => {
    const [one, other] = [newMachine(), newMachine()]
    const keys = await open(one, true)
    await shop.owner.query(`create role owner_renamed superuser login password 'another one'`)
    const url = new URL(shop.ownerUrl)
    Object.assign(url, { username: 'owner_renamed', password: 'another one' })
    expect(await open(one, true, url.href)).toEqual(keys)
    expect(await open(other, true, url.href)).toEqual(keys)
    await shop.owner.query('drop role owner_renamed')
  })
})

describe('the key that signs links in emails', () => {
  it('is copied from its file into a restored database', async () => {
    const machine = newMachine()
    await open(machine, false)
    const before = (await stored()).get('visit_key')
    await shop.owner.query('delete from internal.secrets')
    await open(machine, false)
    expect((await stored()).get('visit_key')).toBe(before)
  })
})
