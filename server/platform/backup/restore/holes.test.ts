import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres, spoolOf } from '@local/embedded-postgres'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { describeRefusal } from '#server/commands/restore/describe-refusal.ts'
import { changeState } from '#server/platform/backup/backup-context.ts'
import { openFolderTarget } from '#server/platform/backup/target/folder-target.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { addQuoteRequest } from '#tests/support/backup/quote-request.ts'
import { RestoreError } from './restore-error.ts'
import { restoreFromTarget } from './restore-from-target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

let root: string
let shop: BackedUpShop
let target: string
let key: string
/** The time at which each row was committed, by the name of the row. */
const committed = new Map<string, number>()
/**
 * A moment between the commits of the rows 'late 2' and 'late 3'. The file times of the log segments with these rows
 * are an hour later than the commits.
 */
let betweenLateMs: number

async function addRow(name: string): Promise<void> {
  await addQuoteRequest(shop.owner, name)
  committed.set(name, Date.now())
}

const switchSegment = async () => {
  const { rows } = await shop.owner.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )
  return rows[0]?.segment ?? ''
}

const spooled = () =>
  readdirSync(spoolOf(shop.dataDirectory)).filter((name) => /^[0-9A-F]{24}$/.test(name))

async function nextSecond(): Promise<number> {
  const ms = (Math.floor(Date.now() / 1000) + 1) * 1000
  await waitUntil(() => Date.now() > ms)
  return ms
}

async function addFile(name: string): Promise<void> {
  writeFileSync(join(shop.dataDirectory, 'outbox', name), name)
  await waitUntil(() => `outbox/${name}` in shop.backup.context.state.files)
}

/**
 * Adds three rows, each in its own log segment. The segments are archived without delay, but their file times are set
 * one hour later, so that the names of the stored objects contain the later time.
 */
async function addLateRows(): Promise<void> {
  await shop.stopBackup()
  const segments: string[] = []
  for (const name of ['late 1', 'late 2', 'late 3']) {
    await addRow(name)
    if (name === 'late 2') betweenLateMs = await nextSecond()
    segments.push(await switchSegment())
  }
  await waitUntil(() => segments.every((segment) => spooled().includes(segment)))
  const later = Date.now() / 1000 + 3600
  for (const segment of spooled())
    utimesSync(join(spoolOf(shop.dataDirectory), segment), later, later)
  await shop.startBackup()
  await waitUntil(() => (shop.backup.context.state.nextSegment ?? '') > (segments.at(-1) ?? ''))
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-holes-'))
  shop = await startBackedUpShop({ root })
  target = shop.target
  mkdirSync(join(shop.dataDirectory, 'outbox'))
  await shop.protect()
  for (const name of ['a', 'b', 'c']) {
    await addRow(name)
    await addFile(`${name}.eml`)
    await nextSecond()
    await shop.sendLog()
  }
  changeState(shop.backup.context, { baseReason: 'switched on' })
  await shop.protect()
  await addRow('d')
  await addFile('d.eml')
  await nextSecond()
  await shop.sendLog()
  await addLateRows()
  key = readFileSync(join(shop.dataDirectory, 'keys', 'backup.key'), 'utf8')
  await shop.destroy()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function restore(source: string, at?: string, incarnation?: string): Promise<string[]> {
  const folder = mkdtempSync(join(root, 'restored-'))
  await restoreFromTarget({
    target: openFolderTarget(source, 'file:///target'),
    keyText: key,
    ...(at && { at }),
    ...(incarnation && { incarnation }),
    now: Date.now,
    dataDirectory: folder,
    onStep: () => undefined,
    prepare: () => Promise.resolve(),
  })
  const server = await startEmbeddedPostgres({ dataDirectory: folder, durable: false })
  const client = new Client({ connectionString: server.ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from public.quote_requests')
  await client.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return rows.map(({ name }) => name).toSorted()
}

const rowsUntil = (ms: number) =>
  [...committed].filter(([, atMs]) => atMs <= ms).map(([name]) => name)

const message = (source: string, at?: string) =>
  restore(source, at).then(
    () => 'restored',
    (error: unknown) => (error instanceof RestoreError ? describeRefusal(error.detail) : error),
  )

describe('a write-ahead log that was archived late', () => {
  it('is replayed up to the requested moment, with every earlier row', async () => {
    const at = formatShopMoment(betweenLateMs, 'America/Los_Angeles')
    expect(await restore(target, at)).toEqual(rowsUntil(betweenLateMs).toSorted())
  })

  it('is refused by a restore when a segment before the requested moment is missing', async () => {
    const source = change(/log\/\w+-\d+$/, -2, remove)
    const at = formatShopMoment(betweenLateMs + 1000, 'America/Los_Angeles')
    expect(await message(source, at)).toContain('is missing')
  })
})

const remove = (path: string) => rmSync(path)
const truncate = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -20))

/**
 * Copies the backup target and changes one object of the copy: the one at index `place` among the objects whose names
 * match `pattern`.
 */
function change(pattern: RegExp, place: number, how: (path: string) => void): string {
  const source = mkdtempSync(join(root, 'changed-'))
  cpSync(target, source, { recursive: true })
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()
  how(join(source, names.filter((name) => pattern.test(name)).at(place) ?? 'no such object'))
  return source
}

describe('a restore that is refused because of a missing or damaged object', () => {
  it.each([
    ['a piece of the log before the end', /log\/\w+-\d+$/, -2, remove],
    ['a whole piece of the log before the end', /log\/\w+-\d+$/, -2, truncate],
    ['the first piece of the log of the newest full copy', /log\/\w+-\d+$/, -5, remove],
    ['a whole description of the newest full copy', /manifest-\d+$/, -1, truncate],
    ['a part of the newest full copy', /00000002\/part-\d+$/, -1, remove],
    ['a whole file after the newest full copy', /files\/\d+$/, -1, truncate],
  ])(
    'states a time that can be restored with every earlier row when the target lacks %s',
    async (_what, pattern, place, how) => {
      const source = change(pattern, place, how)
      const offered = await message(source)
      const [, at = ''] = /--at '([^']+)'/.exec(String(offered)) ?? []
      const [, incarnation] = /--incarnation (\w+)/.exec(String(offered)) ?? []
      expect(offered).toContain('The object ')
      expect(at).not.toBe('')
      const atMs = Date.parse(at.replace(' ', 'T').replace(' ', ''))
      expect(await restore(source, at, incarnation)).toEqual(rowsUntil(atMs).toSorted())
    },
  )

  it('states no time that can be restored when the damaged file is part of every base backup', async () => {
    const source = change(/files\/\d+$/, 2, remove)
    expect(await message(source)).toContain(
      'No state of the shop can be restored without this object.',
    )
  })
})
