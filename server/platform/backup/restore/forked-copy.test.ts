import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formatShopMoment } from '#domain/backup/shop-moment.ts'
import { sendFacts } from '#server/platform/backup/latest-facts.ts'
import { sendRemovals } from '#server/platform/backup/removals.ts'
import { openFolderTarget } from '#server/platform/backup/target/folder-target.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import type { RecoveredDatabase, RestoredShop } from './prepare-recovered.ts'
import { restoreFromTarget } from './restore-from-target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let root: string
let target: string
let key: string
let ids: { shop: string; fork: string }
/** A moment at which the original shop and its copy that was restored for a test are both running. */
let at: string

type Restored = { restored: RestoredShop; recovered: RecoveredDatabase | undefined; folder: string }

async function restore(given: { at?: string; incarnation?: string } = {}): Promise<Restored> {
  const folder = mkdtempSync(join(root, 'restored-'))
  let recovered: RecoveredDatabase | undefined
  const restored = await restoreFromTarget({
    target: openFolderTarget(target, 'file:///target'),
    keyText: key,
    ...given,
    now: Date.now,
    dataDirectory: folder,
    onStep: () => undefined,
    prepare: (database) => {
      recovered = database
      return Promise.resolve()
    },
  })
  return { restored, recovered, folder }
}

/** Sends a customer erasure and the password hash of a staff account to the backup target. */
async function sendAfter(shop: BackedUpShop, name: string): Promise<void> {
  const { context } = shop.backup
  await sendRemovals(context, [{ id: name, customerId: name, atMs: Date.now() }])
  await sendFacts(context, { accounts: [{ userId: name, passwordHash: name }], counts: {} })
}

const change = (shop: BackedUpShop) =>
  shop.owner.query('update public.shop set tagline = tagline || $1', ['!'])

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-forked-'))
  const shop = await startBackedUpShop({ root })
  target = shop.target
  await shop.protect()
  await shop.sendLog()
  key = readFileSync(join(shop.dataDirectory, 'keys', 'backup.key'), 'utf8')
  const { folder } = await restore()
  const fork = await startBackedUpShop({ root, dataDirectory: folder })
  await fork.protect()
  const idOf = ({ backup }: BackedUpShop) => backup.context.state.incarnation.id
  ids = { shop: idOf(shop), fork: idOf(fork) }
  at = formatShopMoment(Math.ceil(Date.now() / 1000) * 1000, 'America/Los_Angeles')
  await waitUntil(() => Date.now() > Date.parse(at) + 1000)
  await change(shop)
  await sendAfter(shop, 'shop')
  await shop.sendLog()
  await shop.destroy()
  await change(fork)
  await sendAfter(fork, 'fork')
  await fork.sendLog()
  await fork.destroy()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a backup target that both the original shop and a test restore use', () => {
  it('restores the original shop as of a given moment, and repeats the later erasures of customers', async () => {
    const { restored, recovered } = await restore({ at, incarnation: ids.shop })
    expect(restored.taken.id).toBe(ids.shop)
    expect(recovered?.removals.map(({ id }) => id)).toEqual(['shop'])
    expect(recovered?.facts?.accounts).toEqual([{ userId: 'shop', passwordHash: 'shop' }])
  })

  it('restores the original shop as of a given moment when no incarnation (backup history) is named, and lists the other incarnation', async () => {
    const { restored } = await restore({ at })
    expect(restored.taken).toMatchObject({ id: ids.shop, others: [{ id: ids.fork }] })
  })

  it('restores the newest data (from the test restore) when no moment is given, and does not repeat later erasures of the original shop', async () => {
    const { restored, recovered } = await restore()
    expect(restored.taken.id).toBe(ids.fork)
    expect(recovered?.removals.map(({ id }) => id)).toEqual(['fork'])
  })

  it('restores another incarnation (backup history) when the owner names it, and refuses an unknown one', async () => {
    const { restored } = await restore({ incarnation: ids.fork, at })
    expect(restored.taken.id).toBe(ids.fork)
    await expect(restore({ incarnation: 'unknown' })).rejects.toMatchObject({
      detail: { reason: 'no such incarnation', ids: expect.arrayContaining([ids.shop, ids.fork]) },
    })
  })
})
