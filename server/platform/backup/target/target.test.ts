import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#tests/support/app/server-process.ts'
import { noBucket } from '#tests/support/backup/backed-up-shop.ts'
import { type BucketServer, startBucketServer } from '#tests/support/backup/bucket-server.ts'
import { openTarget } from './open-target.ts'
import type { Target, TargetError } from './target.ts'

let server: BucketServer
let folder: string
beforeAll(async () => {
  server = await startBucketServer()
  folder = mkdtempSync(join(tmpdir(), 'torque-target-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  server.fault = () => undefined
})

const openBucket = (change: Partial<BucketServer['settings']> = {}) =>
  openTarget(server.url, { ...server.settings, ...change })
const text = (content: string) => Buffer.from(content)
const problemOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'no problem',
    ({ problem, message }: TargetError) => [problem, message],
  )

describe.each<[string, () => Target]>([
  ['a folder', () => openTarget(pathToFileURL(folder).href, noBucket)],
  ['a bucket', () => openBucket()],
])('%s', (_name, open) => {
  it('a backup target stores objects, lists them in the order of their names, and removes them', async () => {
    const target = open()
    await target.put('7/1-a/log/b', text('second'))
    await target.put('7/1-a/log/a', text('first'))
    await target.put('7/1-a/log/a', text('replaced'))
    await target.put('8/1-b/log/c', text('third'))
    expect((await target.get('7/1-a/log/a'))?.toString()).toBe('replaced')
    expect(await target.get('7/1-a/log/z')).toBeUndefined()
    expect(await target.list('7/1-a/')).toEqual([
      { name: '7/1-a/log/a', bytes: 8 },
      { name: '7/1-a/log/b', bytes: 6 },
    ])
    expect((await target.folders('')).toSorted()).toEqual(['7', '8'])
    expect(await target.folders('7/')).toEqual(['1-a'])
    await target.remove('7/1-a/log/a')
    await target.remove('7/1-a/log/a')
    expect(await target.list('7/1-a/')).toEqual([{ name: '7/1-a/log/b', bytes: 6 }])
    expect(await target.list('9/')).toEqual([])
  })

  it('a backup target does not create an object whose name already exists', async () => {
    const target = open()
    expect(await target.create('claims/1', text('ours'))).toBe(true)
    expect(await target.create('claims/1', text('theirs'))).toBe(false)
    expect((await target.get('claims/1'))?.toString()).toBe('ours')
  })
})

describe('a backup target in a folder', () => {
  it('is not created when it is missing, because its disk may not be mounted', async () => {
    const target = openTarget(pathToFileURL(join(folder, 'missing')).href, noBucket)
    const unreachable = [
      'unreachable',
      'The backup folder cannot be used: it does not exist, or its disk is not mounted (ENOENT).',
    ]
    expect(await problemOf(target.put('a', text('a')))).toEqual(unreachable)
    expect(await problemOf(target.list('a/'))).toEqual(unreachable)
  })
})

describe('a backup target in a bucket', () => {
  it('lists more objects than one response contains', async () => {
    const target = openBucket()
    const names = Array.from({ length: 1_005 }, (_, nth) => `many/${String(nth).padStart(5, '0')}`)
    for (const name of names) await target.put(name, text('x'))
    expect((await target.list('many/')).map(({ name }) => name)).toEqual(names)
  })

  it('receives a failed request again after a short overload', async () => {
    let failures = 2
    server.fault = () => ((failures -= 1) >= 0 ? 'unavailable' : undefined)
    await openBucket().put('again', text('a'))
    server.fault = () => undefined
    expect((await openBucket().get('again'))?.toString()).toBe('a')
  })

  it('causes an error with the reason when it refuses to store an object', async () => {
    const wrongKey = openBucket({ secretAccessKey: 'wrong' })
    expect(await problemOf(wrongKey.put('a', text('a')))).toEqual([
      'refused',
      'The bucket responded with status 403 SignatureDoesNotMatch.',
    ])
    const other = openTarget('s3://no-such-bucket', server.settings)
    expect(await problemOf(other.get('a'))).toEqual(['refused', 'The bucket does not exist.'])
    server.fault = () => 'quota exceeded'
    expect(await problemOf(openBucket().put('a', text('a')))).toEqual([
      'full',
      'The bucket responded with status 400 QuotaExceeded.',
    ])
    server.fault = () => 'unavailable'
    expect(await problemOf(openBucket().put('a', text('a')))).toEqual([
      'unreachable',
      'The bucket responded with status 503 SlowDown.',
    ])
    const nobody = openBucket({ endpoint: `http://127.0.0.1:${await freePort()}` })
    expect(await problemOf(nobody.get('a'))).toEqual([
      'unreachable',
      'The bucket does not respond (ECONNREFUSED).',
    ])
  })

  it('causes an error when a response ends early, and refuses content that was changed during the upload', async () => {
    const target = openBucket()
    await target.put('large', Buffer.alloc(300_000, 'x'))
    server.fault = () => 'truncated'
    expect(await problemOf(target.get('large'))).toMatchObject(['unreachable', expect.any(String)])
    server.fault = ({ method }) => (method === 'PUT' ? 'changed' : undefined)
    expect(await problemOf(target.put('changed', text('content')))).toEqual([
      'unreachable',
      'The bucket responded with status 400 XAmzContentSHA256Mismatch.',
    ])
    server.fault = () => undefined
    expect(await target.get('changed')).toBeUndefined()
  })

  it('receives the header If-None-Match with a request to create an object', async () => {
    const seen: (string | undefined)[] = []
    server.fault = ({ method, headers }) => {
      if (method === 'PUT') seen.push(headers['if-none-match'])
      return undefined
    }
    await openBucket().create('claims/2', text('ours'))
    expect(seen).toEqual(['*'])
  })
})
