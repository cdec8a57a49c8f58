import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'

let shop: TestApp
let other: FastifyInstance
let directory: string
const logged: string[] = []

/** A fake web build with one page. The rendering of this page fails if the shop name is 'Broken'. */
const renderer = `export async function renderSite({ shop, heads }) {
  if (shop.name === 'Broken') throw new Error('cannot be rendered')
  const page = '<style>' + heads.index.css + '</style>' + JSON.stringify(shop)
  const frame = ['', shop.name, '']
  return { files: { 'index.html': page, '404.html': shop.name }, frames: { visit: frame, estimate: frame, join: frame } }
}
export const renderCustomerPage = () => ({ frame: 'visit', title: '', main: '' })`

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'site-'))
  for (const folder of ['renderer', 'assets', 'public']) mkdirSync(join(directory, folder))
  writeFileSync(join(directory, 'renderer/package.json'), '{"type":"module"}')
  writeFileSync(join(directory, 'renderer/entry.js'), renderer)
  writeFileSync(
    join(directory, 'heads.json'),
    JSON.stringify({ index: { script: { address: '/a.js' }, modules: [], css: 'p{}' } }),
  )
  shop = await createTestApp({
    siteDirectory: directory,
    config: { logLevel: 'info' },
    logStream: { write: (line) => void logged.push(line) },
  })
  const { config, database } = shop
  const stripped = { ...config, logLevel: 'silent' as const }
  other = await buildApp({
    config: stripped,
    database: database.database,
    keys: testKeys,
    now: Date.now,
    siteDirectory: directory,
  })
})
afterAll(async () => {
  await other.close()
  await shop.close()
  rmSync(directory, { recursive: true })
})

const rename = (name: string) =>
  shop.database.owner.query('update public.shop set name = $1', [name])
const home = (app: Pick<FastifyInstance, 'inject'>) => app.inject('/')
const isShown = (name: string, apps = [shop.app, other]) =>
  vi.waitFor(async () => {
    for (const app of apps) expect((await home(app)).body).toContain(`"name":"${name}"`)
  }, 10_000)

describe('a change of the shop’s details', () => {
  it('appears on all pages of every process, with a new ETag', async () => {
    const before = await home(shop)
    await rename('Camshaft & Co')
    await isShown('Camshaft & Co')
    const after = await home(shop)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    const etagHeaders = { 'if-none-match': String(before.headers.etag) }
    expect((await shop.inject({ url: '/', headers: etagHeaders })).statusCode).toBe(200)
    expect((await shop.inject({ url: '/nope', headers: { accept: 'text/html' } })).body).toBe(
      'Camshaft & Co',
    )
  })

  it('appears on the pages also when the opening hours or the booking rules change', async () => {
    await shop.database.owner.query(
      'delete from public.opening_hours where weekday = 1; update public.booking_rules set notice_minutes = 60',
    )
    await vi.waitFor(async () => {
      expect((await home(shop)).body).toMatch(/"week":\{"0":\{[^}]*\},"1":null/)
      expect((await home(shop)).body).toContain('"noticeMinutes":60')
    }, 10_000)
  })

  it('leaves the current pages unchanged and is logged when the rendering fails', async () => {
    await rename('Still There')
    await isShown('Still There')
    logged.length = 0
    await rename('Broken')
    await vi.waitFor(() => expect(logged.join('')).toContain('cannot be rendered'), 10_000)
    expect((await home(shop)).body).toContain('"name":"Still There"')
    await rename('Mended')
    await isShown('Mended')
  })

  it('appears on the pages even if its notification was lost with the database connection', async () => {
    logged.length = 0
    await shop.database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    )
    // The database connection for notifications is closed, so the server receives no notification of the new shop name.
    // The server reads the name at the next regular interval.
    await rename('Back Again')
    await isShown('Back Again')
    expect(logged.join('')).toContain('notifications of the database are interrupted')
  })

  it('is shown by every process if it is the last of several changes in quick succession', async () => {
    await Promise.all(['One', 'Two', 'Three', 'Four'].map(rename))
    await rename('Last')
    await isShown('Last')
    expect((await home(shop)).headers.etag).toBe((await home(other)).headers.etag)
  })
})
