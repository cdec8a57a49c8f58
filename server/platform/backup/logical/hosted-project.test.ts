import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { installationTables, takeBackup } from '#server/platform/storage/take-backup.ts'
import { listTables, listTablesOf } from '#server/platform/storage/shop-tables.ts'
import { waitUntil } from '#tests/support/backup/backed-up-shop.ts'
import {
  createManagedShop,
  type ManagedProcess,
  type ManagedShop,
} from '#tests/support/backup/managed-shop.ts'
import { addQuoteRequest } from '#tests/support/backup/quote-request.ts'
import { createTestDatabase } from '#tests/support/database/database.ts'
import { plantSecrets, secretMark } from '#tests/support/database/hosted-database.ts'
import { listLogical, openLogical, readLogicalEntries } from './open-logical-copy.ts'
import { runLogicalDrill } from './run-logical-drill.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const [ana, ben, guest, gone] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000002${n}`)
const staff = (id = '', username = '') => ({
  id,
  email: `${username}@staff.example`,
  appMetadata: { role: 'admin', username },
})

let shop: ManagedShop
let running: ManagedProcess
let plantedTexts = 0
beforeAll(async () => {
  shop = await createManagedShop('hosted')
  const { owner } = shop.database
  for (const user of [
    staff(ana, 'ana'),
    staff(ben, 'ben'),
    staff(guest, 'guest'),
    staff(gone, 'gone'),
  ]) {
    plantedTexts += await plantSecrets(owner, user)
  }
  await owner.query(`update auth.users set banned_until = '2030-01-01Z' where id = '${ben}';
    update auth.users set deleted_at = now() where id = '${gone}'`)
  await owner.query(`insert into public.staff_accounts (user_id, username, role) values
    ('${ana}', 'ana', 'owner'), ('${ben}', 'ben', 'technician'), ('${gone}', 'gone', 'advisor')`)
  await addQuoteRequest(owner, 'Dana')
  running = await shop.startProcess()
  await waitUntil(() => running.backup.progress().protectedMs !== undefined)
})
afterAll(async () => {
  await running.stop()
  await shop.destroy()
})

async function openNewest() {
  const { target, store, state } = running.backup.context
  const [newest] = await listLogical(target, state.incarnation.systemId)
  if (!newest) throw new Error('There is no backup.')
  return openLogical(store, newest)
}

async function readEntries(entries: AsyncIterable<object>): Promise<string[]> {
  const lines: string[] = []
  for await (const entry of entries) lines.push(JSON.stringify(entry))
  return lines
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

function drill() {
  const { target, key } = running.backup.context
  return runLogicalDrill({
    target,
    key,
    dataDirectory: shop.dataDirectory,
    ownerUrl: shop.database.ownerUrl,
    now: () => shop.now(),
    sinceNumber: 0,
    isComplete: false,
    signal: new AbortController().signal,
    onStep: () => undefined,
  })
}

describe('the nightly backup of a hosted Supabase project', () => {
  it('contains the staff accounts, without passwords and without metadata that the site does not use', async () => {
    const lines = await readEntries(readLogicalEntries(await openNewest()))
    const rows = lines
      .map((line) => JSON.parse(line) as { table?: string; row?: string })
      .filter(({ table }) => table === 'auth.users')
      .map(({ row }) => JSON.parse(row ?? '') as { id: string })
    expect(rows.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
      [
        { id: ana, username: 'ana', banned_until: null },
        { id: ben, username: 'ben', banned_until: '2030-01-01T00:00:00+00:00' },
      ].map(({ id, username, banned_until }) => ({
        id,
        email: `${username}@staff.example`,
        encrypted_password: null,
        raw_app_meta_data: { role: 'admin', username },
        raw_user_meta_data: {},
        created_at: '2026-03-08T09:59:59.123456+00:00',
        updated_at: expect.any(String),
        last_sign_in_at: null,
        banned_until,
      })),
    )
  })

  it('contains no session, token, password hash or secret of the project’s services', async () => {
    const stolen = (await readEntries(readLogicalEntries(await openNewest()))).join('\n')
    expect(stolen).toContain('Dana')
    expect(stolen).not.toContain(secretMark)
    expect(stolen).not.toContain('guest@staff.example')
    // Proves that the test would find secret texts: the test finds them in a backup that contains every table.
    const all = await readEntries(takeBackup(await superuserUrl(), shop.dataDirectory, 'own'))
    expect(all.join('\n').split(`${secretMark}auth.`).length).toBeGreaterThan(plantedTexts / 2)
    const file = await readEntries(takeBackup(shop.database.ownerUrl, shop.dataDirectory, 'hosted'))
    expect(file.join('\n')).not.toContain(secretMark)
  })

  it('contains the same tables as the backup of a shop without a hosted Supabase project', async () => {
    const embedded = await createTestDatabase()
    const [hosted, own] = await Promise.all(
      [shop.database, embedded].map((d) => connect(d.ownerUrl)),
    )
    const namesOf = async (listed: Promise<readonly { name: string }[]>) =>
      (await listed).map(({ name }) => name).filter((name) => !installationTables.has(name))
    if (!hosted || !own) throw new Error('No connection')
    expect((await namesOf(listTablesOf(hosted, 'hosted'))).toSorted()).toEqual(
      (await namesOf(listTables(own))).toSorted(),
    )
    await Promise.all([hosted.end(), own.end()])
    await embedded.drop()
  })

  it('passes a restore drill in the embedded database server', async () => {
    expect(await drill()).toMatchObject({ outcome: 'proven', differing: [] })
  })

  it('fails a restore drill when the staff accounts do not match the checksum that the backup recorded', async () => {
    const { store } = running.backup.context
    const opened = await openNewest()
    const change = { ...opened.manifest, tables: opened.manifest.tables.map(changeChecksum) }
    const content = await store.read(opened.base.name)
    await store.write(opened.base.name, Buffer.from(JSON.stringify(change)))
    const result = await drill()
    await store.write(opened.base.name, content)
    expect(result).toMatchObject({ outcome: 'differs', differing: ['auth.users'] })
  })

  it('fails when a row-level security policy hides accounts from its database user, and never omits these accounts', async () => {
    const { owner, ownerUrl } = shop.database
    const role = `limited_${process.pid}`
    await owner.query(`create role ${role} login password 'only here' in role hosted_owner`)
    const limited = new URL(ownerUrl)
    Object.assign(limited, { username: role, password: 'only here' })
    const folder = mkdtempSync(join(tmpdir(), 'torque-limited-'))
    await expect(readEntries(takeBackup(limited.href, folder, 'hosted'))).rejects.toThrow(
      /row-level security policy for table "users"/,
    )
    rmSync(folder, { recursive: true })
    await owner.query(`drop role ${role}`)
  })
})

const changeChecksum = <Mark extends { name: string; checksum: string }>(mark: Mark): Mark =>
  mark.name === 'auth.users' ? { ...mark, checksum: `${mark.checksum}1` } : mark

async function superuserUrl(): Promise<string> {
  const { rows } = await shop.database.owner.query<{ name: string }>('select current_user as name')
  const url = new URL(shop.database.ownerUrl)
  url.username = rows[0]?.name ?? ''
  return url.href
}
