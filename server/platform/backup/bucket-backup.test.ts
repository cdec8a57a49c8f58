import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import {
  type BackedUpShop,
  startBackedUpShop,
  waitUntil,
} from '#tests/support/backup/backed-up-shop.ts'
import { type BucketServer, startBucketServer } from '#tests/support/backup/bucket-server.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { restoreFromTarget } from './restore/restore-from-target.ts'
import { openTarget } from './target/open-target.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let root: string
let bucket: BucketServer
let shop: BackedUpShop
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'torque-bucket-backup-'))
  bucket = await startBucketServer()
  const { url, settings: s3 } = bucket
  shop = await startBackedUpShop({ root, s3, settings: { url } })
  await shop.protect()
})
afterAll(async () => {
  await bucket.close()
  rmSync(root, { recursive: true, force: true })
})

it('a destroyed shop is restored from a bucket that was temporarily overloaded and full during the backup', async () => {
  await shop.owner.query(
    'create table public.proof (id integer); insert into public.proof values (1)',
  )
  bucket.fault = ({ method }) => (method === 'PUT' ? 'quota exceeded' : undefined)
  const segment = await shop.owner.query<{ name: string }>(
    'select pg_walfile_name(pg_switch_wal()) as name',
  )
  await waitUntil(() => shop.backup.progress().problem?.problem === 'full')
  bucket.fault = () => (Math.random() < 0.3 ? 'unavailable' : undefined)
  const name = segment.rows[0]?.name ?? ''
  await waitUntil(() => (shop.backup.context.state.nextSegment ?? '') > name)
  bucket.fault = () => undefined
  const key = readFileSync(join(shop.dataDirectory, 'keys', 'backup.key'), 'utf8')
  await shop.destroy()
  const restored = join(root, 'restored')
  await restoreFromTarget({
    target: openTarget(bucket.url, bucket.settings),
    keyText: key,
    now: Date.now,
    dataDirectory: restored,
    onStep: () => undefined,
    prepare: () => Promise.resolve(),
  })
  const server = await startEmbeddedPostgres({ dataDirectory: restored, durable: false })
  const owner = openPool(server.ownerUrl, 1)
  const { rows } = await owner.query('select id from public.proof')
  await owner.end()
  await server.stop()
  expect(rows).toEqual([{ id: 1 }])
})
