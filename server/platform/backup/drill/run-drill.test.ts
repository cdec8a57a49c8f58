import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BaseManifest } from '#server/platform/backup/base/manifest.ts'
import { incarnationFolder, objectNames } from '#server/platform/backup/objects/object-names.ts'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { connectForMark } from './mark-connection.ts'
import { compareMarks, type Mark, takeMark } from './mark.ts'
import { type DrillOptions, type DrillStep, runDrill } from './run-drill.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let shop: BackedUpShop
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-drill-'))
  shop = await startBackedUpShop({ root })
  await shop.protect()
  mkdirSync(join(shop.dataDirectory, 'outbox'))
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(shop.dataDirectory, 'outbox', `${name}.eml`), `To ${name}`)
  }
  await waitUntil(() => 'outbox/c.eml' in shop.backup.context.state.files)
})
afterAll(async () => {
  await shop.destroy()
  rmSync(root, { recursive: true, force: true })
})

const addQuote = (name: string) =>
  shop.owner.query(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ($1, 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`,
    [name],
  )

function drill(change: Partial<DrillOptions> = {}) {
  const { target, key } = shop.backup.context
  return runDrill({
    target,
    key,
    dataDirectory: shop.dataDirectory,
    ownerUrl: shop.ownerUrl,
    now: Date.now,
    sinceNumber: 0,
    isComplete: false,
    signal: new AbortController().signal,
    onStep: () => undefined,
    ...change,
  })
}

async function mark(): Promise<Mark> {
  const client = await connectForMark(shop.ownerUrl)
  try {
    return await takeMark(client)
  } finally {
    await client.end()
  }
}

describe('a restore drill', () => {
  it('shows that the newest backup can be restored, even while the shop continues to write', async () => {
    const done = new AbortController()
    const visitors = (async () => {
      for (let nth = 0; !done.signal.aborted; nth += 1) await addQuote(`Visitor ${nth}`)
    })()
    const steps: DrillStep[] = []
    const result = await drill({ onStep: (step) => steps.push(step) })
    done.abort()
    await visitors
    expect(result).toMatchObject({ outcome: 'proven', files: 3, checkedFiles: 3, differing: [] })
    expect(result.rows).toBeGreaterThan(100)
    expect(steps).toEqual(['marking', 'copying', 'recovering', 'comparing'])
    expect(readdirSync(join(shop.dataDirectory, 'backups'))).not.toContain('drill')
  })

  it('finds a damaged copy of a file', async () => {
    const { state } = shop.backup.context
    const { number } = state.files['outbox/b.eml'] ?? { number: 0 }
    const path = join(shop.target, incarnationFolder(state.incarnation), objectNames.file(number))
    const content = readFileSync(path)
    writeFileSync(path, content.subarray(0, -3))
    const error = await drill().catch((thrown: unknown) => thrown)
    writeFileSync(path, content)
    expect(error).toMatchObject({
      object: expect.stringMatching(/files/),
      refusal: { reason: 'damaged' },
    })
  })

  it('restores no copy when the disk has too little free space', async () => {
    const { target, store, state } = shop.backup.context
    const objects = await target.list(`${incarnationFolder(state.incarnation)}base/`)
    const name = objects.findLast(({ name }) => name.includes('/manifest-'))?.name ?? ''
    const content = (await store.read(name)).toString()
    const manifest = JSON.parse(content) as BaseManifest
    await store.write(name, Buffer.from(JSON.stringify({ ...manifest, clusterBytes: 1e17 })))
    const steps: DrillStep[] = []
    const drilling = drill({ onStep: (step) => steps.push(step) })
    await expect(drilling).rejects.toMatchObject({ reason: 'no room' })
    await store.write(name, Buffer.from(content))
    expect(steps).toEqual(['marking'])
  })

  it.each<DrillStep>(['marking', 'copying', 'recovering', 'comparing'])(
    'ends in the step %s when it is stopped, and leaves nothing behind',
    async (last) => {
      const stopping = new AbortController()
      const steps: DrillStep[] = []
      const onStep = (step: DrillStep) => {
        steps.push(step)
        if (step === last) stopping.abort(new Error('stopped'))
      }
      await expect(drill({ signal: stopping.signal, onStep })).rejects.toThrow('stopped')
      expect(steps.at(-1)).toBe(last)
      expect(readdirSync(join(shop.dataDirectory, 'backups'))).not.toContain('drill')
    },
  )

  it('can be stopped while it waits for a moment without an open transaction', async () => {
    const other = await shop.owner.connect()
    await other.query('begin; select pg_current_xact_id()')
    const stopping = new AbortController()
    const drilling = drill({ signal: stopping.signal })
    await waitUntil(async () => {
      const { rows } = await shop.owner.query(
        `select from pg_stat_activity where application_name = 'drill' and query = 'rollback'`,
      )
      return rows.length > 0
    })
    stopping.abort(new Error('stopped'))
    await expect(drilling).rejects.toThrow('stopped')
    await other.query('rollback')
    other.release()
  })
})

describe('the table checksums that were recorded for two database states', () => {
  it('differ only for the table whose row was changed', async () => {
    await addQuote('Dana')
    const before = await mark()
    expect(compareMarks(before, await mark())).toEqual([])
    await shop.owner.query(
      `update public.quote_requests set email = 'walt@example.com' where name = 'Dana'`,
    )
    expect(compareMarks(before, await mark())).toContain('public.quote_requests')
    await shop.owner.query('create table public.unknown (id integer)')
    expect(compareMarks(before, await mark())).toContain('catalog')
    await shop.owner.query('drop table public.unknown')
  })
})
