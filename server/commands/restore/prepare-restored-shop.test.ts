import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../scripts/migration/scratch-databases.ts'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { migrateTo, sqlFolder } from '#server/platform/database/migrations.ts'
import { prepareRestoredShop } from './prepare-restored-shop.ts'

const [ada, bea] = [1, 2].map((n) => `00000000-0000-4000-8000-00000000001${n}`) as [string, string]
const recoveredMs = Date.parse('2026-12-01T18:00:00Z')

/**
 * The recovered database of a shop that had already been restored once. The version of the site that made the backup
 * had no staff accounts.
 */
let shop: ScratchDatabase
let dataDirectory: string
beforeEach(async () => {
  dataDirectory = mkdtempSync(`${tmpdir()}/torque-prepare-`)
  const migrations = await readMigrations(sqlFolder)
  const accounts = migrations.findIndex(({ name }) => name === 'staff_accounts')
  shop = await createScratchDatabase(inject('testServer').ownerUrl, (url) =>
    migrateTo(url, migrations.slice(0, accounts)),
  )
  await shop.owner.query(
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data)
     select id, username || '@staff.example', 'old', jsonb_build_object('role', 'admin', 'username', username)
     from (values ($1::uuid, 'ada'), ($2::uuid, 'bea')) admins (id, username)`,
    [ada, bea],
  )
  await shop.owner.query(
    `insert into internal.restored_shop (recovered_until, resumed_at, resumed_by_name) values (now(), now(), 'ada')`,
  )
})
afterEach(async () => {
  await shop.drop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

const prepare = (...userIds: readonly string[]) =>
  prepareRestoredShop({
    ownerUrl: shop.ownerUrl,
    dataDirectory,
    recoveredMs,
    removals: [],
    facts: {
      atMs: recoveredMs + 1,
      accounts: userIds.map((userId) => ({ userId, passwordHash: 'new' })),
      staff: userIds.map((userId, n) => ({
        userId,
        role: n === 0 ? 'owner' : 'technician',
        isActive: true,
      })),
      inactiveEmployees: [],
      counts: {},
    },
  })

const roles = async () => {
  const { rows } = await shop.owner.query<{ username: string; role: string }>(
    'select username, role from public.staff_accounts order by username',
  )
  return rows.map(({ username, role }) => `${username}: ${role}`)
}

it('a restored database of an earlier site version gets the current schema and the newest staff roles', async () => {
  expect(await prepare(ada, bea)).toEqual({ refusedErasures: 0, hasFormerAccounts: false })
  expect(await roles()).toEqual(['ada: owner', 'bea: technician'])
})

it('a restored database without an account of a current owner keeps its accounts, and the restore reports them as former accounts', async () => {
  const unknown = '00000000-0000-4000-8000-000000000019'
  expect(await prepare(unknown, bea)).toEqual({ refusedErasures: 0, hasFormerAccounts: true })
  expect(await roles()).toEqual(['ada: owner', 'bea: owner'])
})

it('each restore pauses emails and requires a new check of the invoice numbers with Stripe', async () => {
  await prepare(ada, bea)
  const { rows } = await shop.owner.query(
    'select recovered_until, resumed_at, resumed_by_name, numbers_checked_at from internal.restored_shop',
  )
  expect(rows).toEqual([
    {
      recovered_until: new Date(recoveredMs),
      resumed_at: null,
      resumed_by_name: null,
      numbers_checked_at: null,
    },
  ])
})
