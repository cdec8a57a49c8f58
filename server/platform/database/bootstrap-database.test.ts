import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { bringUpToDate, poolUrlOf, prepareDatabase, refuseOldServer } from './bootstrap-database.ts'
import { StartupError } from '@local/postgres'

describe('a prepared database', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  it('is not changed by further preparations, even simultaneous ones', async () => {
    const prepared = await Promise.all([1, 2, 3].map(() => bringUpToDate(test.ownerUrl)))
    expect(prepared.flatMap(({ migrated }) => migrated)).toEqual([])
    expect(new Set(prepared.map(({ poolUrl }) => poolUrl))).toEqual(
      new Set([poolUrlOf(test.ownerUrl)]),
    )
  })

  it('lets the site log in only as a role that owns nothing and has no rights of its own', async () => {
    const client = new Client({ connectionString: test.url })
    await client.connect()
    const { rows } = await client.query(
      'select current_user as name, current_setting($1) as zone',
      ['timezone'],
    )
    expect(rows).toEqual([{ name: 'authenticator', zone: 'UTC' }])
    await expect(client.query('select * from public.services')).rejects.toThrow(/permission denied/)
    const owner = escapeIdentifier(new URL(test.ownerUrl).username)
    await expect(client.query(`set role ${owner}`)).rejects.toThrow(/permission denied/)
    await expect(client.query('create table public.mine (id int)')).rejects.toThrow(
      /permission denied/,
    )
    await client.end()
  })

  it('requires PostgreSQL 16, and otherwise causes a message that names the version', () => {
    expect(() => refuseOldServer(150_014)).toThrow(StartupError)
    expect(() => refuseOldServer(150_014)).toThrow(/is version 15; the site needs 16 or newer/)
    expect(() => refuseOldServer(160_000)).not.toThrow()
  })

  it.each(['anon', 'authenticated', 'service_role'] as const)(
    'hides the sign-in tables from %s',
    async (role) => {
      for (const table of ['users', 'sessions', 'refresh_tokens']) {
        const read = test.database.transaction({ role }, (query) =>
          query.unchecked(`select from auth.${table}`),
        )
        await expect(read).rejects.toThrow(/permission denied/)
      }
    },
  )

  it('provides row-level security policies with the user and role of a request', async () => {
    const claims = { sub: '11111111-2222-4333-8444-555555555555', role: 'authenticated' }
    const pending = test.database.transaction({ role: 'authenticated', claims }, (query) =>
      query.unchecked('select auth.uid() as id, auth.role() as role, auth.jwt() as claims'),
    )
    expect(await pending).toEqual([{ id: claims.sub, role: 'authenticated', claims }])
    const visitor = test.database.transaction({ role: 'anon' }, (query) =>
      query.unchecked('select auth.uid() as id, auth.role() as role'),
    )
    expect(await visitor).toEqual([{ id: null, role: 'anon' }])
  })

  it('lets no role call a function without a grant in the schema files', async () => {
    await test.owner.query('create function public.unmentioned() returns int language sql return 1')
    const call = test.database.transaction({ role: 'anon' }, (query) =>
      query.unchecked('select unmentioned()'),
    )
    await expect(call).rejects.toThrow(/permission denied/)
  })

  it('can be on an external server, which keeps running after the site stops', async () => {
    const prepared = await prepareDatabase({
      databaseUrl: test.ownerUrl,
      dataDirectory: '/nowhere',
      hosted: undefined,
    })
    expect(prepared.migrated).toEqual([])
    await prepared.stop()
    expect((await test.owner.query('select 1 as up')).rows).toEqual([{ up: 1 }])
  })

  it('causes an error that omits the password of the connection URL when it cannot be reached', async () => {
    const start = prepareDatabase({
      databaseUrl: 'postgresql://owner:topsecret@127.0.0.1:1/shop',
      dataDirectory: '/nowhere',
      hosted: undefined,
    })
    await expect(start).rejects.toThrow(StartupError)
    await expect(start).rejects.toThrow(/\(127\.0\.0\.1:1\/shop\) refused the connection/)
    await expect(start).rejects.not.toThrow(/topsecret/)
  })

  it('is created and seeded once in an empty data directory', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'torque-first-'))
    const settings = { dataDirectory, databaseUrl: undefined, hosted: undefined }
    const first = await prepareDatabase(settings)
    expect(first.migrated.length).toBeGreaterThan(0)
    await first.stop()
    const second = await prepareDatabase(settings)
    expect(second.migrated).toEqual([])
    await second.stop()
    rmSync(dataDirectory, { recursive: true })
  })
})
