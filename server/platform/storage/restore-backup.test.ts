import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approveEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { writeBackupFile } from './backup-file.ts'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { restoreIntoDataDirectory, restoreIntoServer } from './restore-backup.ts'
import { StartupError } from '@local/postgres'
import { listTables } from './shop-tables.ts'
import { installationTables, takeBackup } from './take-backup.ts'

/** Reads every row of every table in a backup, as PostgreSQL prints it. */
async function fingerprint(ownerUrl: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`set timezone = 'UTC'`)
  const prints: Record<string, string> = {}
  for (const { name } of await listTables(client)) {
    if (installationTables.has(name)) continue
    const { rows } = await client.query<{ print: string }>(
      `select coalesce(string_agg(t::text, e'\n' order by t::text), '') as print from ${name} t`,
    )
    prints[name] = rows[0]?.print ?? ''
  }
  await client.end()
  return prints
}

describe('a restore', () => {
  let shop: TestDatabase
  let folder: string
  let file: string
  beforeAll(async () => {
    shop = await createTestDatabase()
    folder = mkdtempSync(join(tmpdir(), 'torque-drill-'))
    file = join(folder, 'shop.jsonl.gz')
    // Values that are difficult to restore: non-ASCII letters, line ends, microseconds, large numbers, gaps in a
    // sequence.
    await shop.owner.query(`
      insert into auth.users (id, email, encrypted_password, created_at) values
        ('11111111-2222-4333-8444-555555555555', 'owner@example.com', E'Zoë \\\\ "x"\nline two',
          '2026-03-08 09:59:59.123456+00');
      insert into auth.sessions (id, user_id)
        values ('22222222-2222-4333-8444-555555555555', '11111111-2222-4333-8444-555555555555');
      insert into auth.refresh_tokens (id, token, user_id, session_id) values
        (9007199254740993, 'hash', '11111111-2222-4333-8444-555555555555',
          '22222222-2222-4333-8444-555555555555');
      select setval('auth.refresh_tokens_id_seq', 9007199254740993);
      delete from public.services where id = (select id from public.services limit 1)`)
    // An estimate is difficult to restore: it has frozen and append-only rows, generated columns, and a link that
    // triggers set.
    await approveEstimate(shop.database)
    const dataDirectory = join(folder, 'data')
    mkdirSync(join(dataDirectory, 'outbox'), { recursive: true })
    mkdirSync(join(dataDirectory, 'postgresql'))
    writeFileSync(join(dataDirectory, 'outbox', 'message.eml'), 'Subject: Grüße\r\n')
    writeFileSync(join(dataDirectory, 'postgresql', 'password'), 'secret')
    await writeBackupFile(file, takeBackup(shop.ownerUrl, dataDirectory))
  })
  afterAll(async () => {
    await shop.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('into an empty data directory restores every row, sequence and file', async () => {
    const dataDirectory = join(folder, 'restored')
    const restored = await restoreIntoDataDirectory({ path: file }, dataDirectory)
    expect(restored.files).toBe(1)
    expect(readFileSync(join(dataDirectory, 'outbox', 'message.eml'), 'utf8')).toContain('Grüße')
    const server = await startEmbeddedPostgres({ dataDirectory })
    const [before, after] = [await fingerprint(shop.ownerUrl), await fingerprint(server.ownerUrl)]
    expect(after).toEqual(before)
    expect(Object.keys(after)).toContain('public.bookings')
    expect(after['public.authorizations']).toContain('Go ahead.')
    expect(after['public.customers']).toContain('Maria Delgado')
    expect(after['public.vehicles']).not.toBe('')
    expect(restored.links).toBe('end')
    const client = new Client({ connectionString: server.ownerUrl })
    await client.connect()
    const { rows } = await client.query(
      `select nextval('auth.refresh_tokens_id_seq')::text as next`,
    )
    expect(rows).toEqual([{ next: '9007199254740994' }])
    await client.end()
    await server.stop()
    const again = restoreIntoDataDirectory({ path: file }, dataDirectory)
    await expect(again).rejects.toThrow(/already contains a database/)
  })

  it('creates new keys and ends all sign-in sessions, even if the backup contains keys and sessions', async () => {
    const former = 'the-key-that-was-in-backups-of-before'
    const rows = {
      'internal.secrets': [
        { name: 'access_token_key', value: former },
        { name: 'visit_key', value: former },
      ],
      'auth.sessions': [
        { id: randomUUID(), user_id: '11111111-2222-4333-8444-555555555555', not_after: null },
      ],
    }
    async function* entries() {
      yield* takeBackup(shop.ownerUrl, join(folder, 'none'))
      for (const [table, values] of Object.entries(rows)) {
        for (const row of values) yield { kind: 'row' as const, table, row: JSON.stringify(row) }
      }
    }
    const older = join(folder, 'older.gz')
    await writeBackupFile(older, entries())
    const dataDirectory = join(folder, 'from-older')
    const files = openKeyFiles(dataDirectory)
    files.write('access_token_key', former)
    files.write('refresh_token_key', former)
    expect((await restoreIntoDataDirectory({ path: older }, dataDirectory)).links).toBe('open')
    for (const name of ['access_token_key', 'refresh_token_key']) {
      expect(files.read(name)).toMatch(/^[\w-]{43}$/)
      expect(files.read(name)).not.toBe(former)
    }
    expect(files.read('visit_key')).toBe(former)
    const server = await startEmbeddedPostgres({ dataDirectory })
    const client = new Client({ connectionString: server.ownerUrl })
    await client.connect()
    const { rows: sessions } = await client.query('select from auth.sessions')
    expect(sessions).toEqual([])
    const { rows: keys } = await client.query('select name, value from internal.secrets')
    expect(keys).toEqual([])
    await client.end()
    await server.stop()
  })

  it('writes no file of the installation, even if someone added such a file, for example a key, to the backup', async () => {
    const planted = Buffer.from('a-key-that-somebody-else-knows-too').toString('base64')
    async function* entries() {
      yield* takeBackup(shop.ownerUrl, join(folder, 'none'))
      for (const path of [
        'keys/visit_key',
        'outbox/../keys/visit_key',
        'KEYS/visit_key',
        'backups/planted',
        'a.eml',
      ]) {
        yield { kind: 'file' as const, path, base64: planted }
      }
    }
    const doctored = join(folder, 'doctored.gz')
    await writeBackupFile(doctored, entries())
    const dataDirectory = join(folder, 'from-doctored')
    const files = openKeyFiles(dataDirectory)
    files.write('visit_key', 'the-key-of-this-installation-alone')
    const restored = await restoreIntoDataDirectory({ path: doctored }, dataDirectory)
    expect(files.read('visit_key')).toBe('the-key-of-this-installation-alone')
    expect(readdirSync(dataDirectory)).not.toContain('backups')
    expect(restored.files).toBe(1)
  })

  it('into a database server needs no superuser, and leaves triggers and foreign keys enabled', async () => {
    const server = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'managed'),
      durable: false,
    })
    const asSuperuser = new Client({ connectionString: server.ownerUrl })
    await asSuperuser.connect()
    await asSuperuser.query(`create role database_owner login createrole password 'only here'`)
    await asSuperuser.query('create database shop owner database_owner')
    await asSuperuser.end()
    const target = new URL(server.ownerUrl)
    Object.assign(target, { username: 'database_owner', password: 'only here', pathname: '/shop' })

    await restoreIntoServer(
      { path: file },
      { ownerUrl: target.href, dataDirectory: join(folder, 'managed-files'), isShared: true },
    )
    expect(await fingerprint(target.href)).toEqual(await fingerprint(shop.ownerUrl))
    const owner = new Client({ connectionString: target.href })
    await owner.connect()
    await expect(
      owner.query(`insert into public.task_notes (task_id, note, created_by_name)
        values (gen_random_uuid(), 'of no task', 'admin')`),
    ).rejects.toThrow(/foreign key/)
    const { rows } = await owner.query(
      `select from pg_trigger where tgenabled = 'D' union all
       select from pg_constraint where contype = 'f' and condeferrable`,
    )
    expect(rows).toEqual([])
    await owner.end()
    await server.stop()
  })

  it('into a database with tables is refused', async () => {
    const restore = restoreIntoServer(
      { path: file },
      { ownerUrl: shop.ownerUrl, dataDirectory: join(folder, 'unused'), isShared: true },
    )
    await expect(restore).rejects.toThrow(/already contains tables/)
  })

  it('of a file that is damaged, truncated or not a backup is refused before anything is written', async () => {
    const lines = gunzipSync(readFileSync(file)).toString().split('\n')
    const broken: Record<string, Buffer> = {
      'one letter changed': gzipSync(lines.join('\n').replace('owner@example', 'owned@example')),
      'a line missing': gzipSync(lines.toSpliced(3, 1).join('\n')),
      'the end missing': gzipSync(lines.slice(0, -2).join('\n')),
      'cut short': readFileSync(file).subarray(0, -20),
      'not a backup': Buffer.from('hello'),
      empty: Buffer.alloc(0),
    }
    for (const [name, content] of Object.entries(broken)) {
      const path = join(folder, 'broken.gz')
      writeFileSync(path, content)
      const target = join(folder, 'never')
      const error: unknown = await restoreIntoDataDirectory({ path }, target).catch(
        (e: unknown) => e,
      )
      expect({ name, refused: error instanceof StartupError }).toEqual({ name, refused: true })
      expect(readdirSync(folder)).not.toContain('never')
    }
  })

  it('of a backup from a newer version of the site is refused and leaves the folder empty', async () => {
    const newer = join(folder, 'newer.gz')
    async function* entries() {
      yield {
        kind: 'torque-and-timing backup' as const,
        format: 1 as const,
        takenAt: '2030-01-01T00:00:00Z',
        migrations: [{ version: '20300101000000', checksum: null }],
      }
    }
    await writeBackupFile(newer, entries())
    const target = join(folder, 'too-old')
    await expect(restoreIntoDataDirectory({ path: newer }, target)).rejects.toThrow(/newer version/)
    expect(readdirSync(target)).toEqual(['torque-and-timing.json'])
  })

  it('restores the records of a single moment, although bookings were inserted while the backup was made', async () => {
    const busy = await createTestDatabase()
    await busy.owner.query(
      'create table public.a_side (id int); create table public.z_side (id int)',
    )
    const book = (id: number) =>
      busy.owner.query(
        `insert into public.a_side values (${id}); insert into public.z_side values (${id})`,
      )
    await book(0)
    const controller = new AbortController()
    const writing = (async () => {
      for (let id = 1; !controller.signal.aborted; id += 1) await book(id)
    })()
    const counts = { 'public.a_side': 0, 'public.z_side': 0 }
    for await (const entry of takeBackup(busy.ownerUrl, join(folder, 'none'))) {
      if (entry.kind === 'row' && entry.table in counts) {
        counts[entry.table as keyof typeof counts] += 1
      }
      // Reads the backup slowly, so that bookings are inserted between the reads of two tables.
      await new Promise((next) => setImmediate(next))
    }
    controller.abort()
    await writing
    await busy.drop()
    expect(counts['public.a_side']).toBeGreaterThan(0)
    expect(counts['public.z_side']).toBe(counts['public.a_side'])
  })
})
