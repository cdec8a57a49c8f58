import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Pages, preparePages, servePages } from './static-pages.ts'

const pages = {
  'index.html': '<style>p{}</style><p>Home</p>',
  'book-appointment.html': '<p>Book</p>',
  'sandbox-ui.html': '<p>Components</p>',
  '404.html': '<p>Nothing here</p>',
  'sitemap.xml': '<loc>https://shop.example/pay-invoice</loc>',
  'robots.txt': 'Sitemap: https://shop.example/sitemap.xml',
  'site.webmanifest': '{}',
}
const files = {
  'assets/app-abc123.js': 'plain',
  'assets/app-abc123.js.br': 'brotli',
  'assets/app-abc123.js.gz': 'gzip',
  'public/favicon.svg': '<svg/>',
  'secret.txt': 'not for the public',
}

let directory: string
let site: FastifyInstance
let current: Pages

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'static-pages-'))
  for (const folder of ['assets', 'public']) mkdirSync(join(directory, folder))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  current = preparePages(pages)
  site = Fastify()
  await servePages(site, { directory, currentPages: () => current })
})
afterAll(() => rmSync(directory, { recursive: true }))

const get = (url: string, headers: Record<string, string> = {}) => site.inject({ url, headers })

describe('a page', () => {
  it('is served at its address, as what it is', async () => {
    const response = await get('/')
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toBe(pages['index.html'])
    expect((await get('/sitemap.xml')).body).toBe(pages['sitemap.xml'])
    expect((await get('/robots.txt')).headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await get('/site.webmanifest')).headers['content-type']).toBe(
      'application/manifest+json; charset=utf-8',
    )
    expect((await get('/sandbox/ui')).statusCode).toBe(200)
  })

  it('is another one as soon as all pages are, under another tag', async () => {
    const before = await get('/')
    current = preparePages({ ...pages, 'index.html': '<p>Moved</p>' })
    const matching = { 'if-none-match': String(before.headers.etag) }
    const after = await get('/', matching)
    expect([after.statusCode, after.body]).toEqual([200, '<p>Moved</p>'])
    current = preparePages(pages)
    expect((await get('/', matching)).statusCode).toBe(304)
  })

  it('has a policy of its own and is asked for again each time', async () => {
    const { headers } = await get('/')
    expect(headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-/)
    expect(headers['cache-control']).toBe('no-cache')
  })

  it('is sent as small as the browser can take it', async () => {
    const brotli = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toContain('Home')
    const zipped = await get('/', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(zipped.rawPayload).toString()).toContain('Home')
    expect((await get('/')).headers['content-encoding']).toBeUndefined()
  })

  it('is not sent again to who has it', async () => {
    const etag = String((await get('/')).headers.etag)
    for (const matching of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/', { 'if-none-match': matching })
      expect([response.statusCode, response.body]).toEqual([304, ''])
    }
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const compressed = await get('/', { 'if-none-match': etag, 'accept-encoding': 'br' })
    expect(compressed.statusCode).toBe(200)
  })

  it('answers HEAD with the same headers and nothing else', async () => {
    const [head, full] = [await site.inject({ method: 'HEAD', url: '/' }), await get('/')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(full.headers['content-length'])
  })

  it('has one address: a trailing slash is sent there', async () => {
    const response = await get('/book-appointment/?service=1')
    expect(response.statusCode).toBe(308)
    expect(response.headers.location).toBe('/book-appointment?service=1')
  })
})

describe('an unknown address', () => {
  it.each([
    '/nope',
    '/404',
    '/index.html',
    '/nope/',
    '//evil.example/',
    '/%00',
    '/pages/index.html',
  ])('%s is the 404 page with status 404', async (url) => {
    const response = await get(url, { accept: 'text/html' })
    expect([response.statusCode, response.body]).toEqual([404, '<p>Nothing here</p>'])
  })

  it('is JSON for programs and for what is no page', async () => {
    const responses = [
      await get('/api/nope'),
      await get('/api'),
      await get('/assets/old-chunk.js', { accept: '*/*' }),
      await get('/picture', { accept: 'image/avif,image/webp,*/*' }),
      await site.inject({ method: 'POST', url: '/' }),
    ]
    for (const response of responses) {
      expect([response.statusCode, response.json()]).toEqual([
        404,
        { ok: false, code: 'NOT_FOUND', message: 'There is nothing at this address.' },
      ])
    }
  })

  it('never leads out of the folder', async () => {
    const ways = [
      '/assets/../secret.txt',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/..%5csecret.txt',
      '/..%2fsecret.txt',
      '/assets//etc/passwd',
    ]
    for (const url of ways) {
      const response = await get(url)
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.body).not.toContain('not for the public')
    }
  })
})

describe('an asset', () => {
  it('is kept by browsers for ever and comes compressed', async () => {
    const response = await get('/assets/app-abc123.js', { 'accept-encoding': 'br, gzip' })
    expect([response.body, response.headers['content-encoding']]).toEqual(['brotli', 'br'])
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-type']).toMatch(/javascript/)
    expect((await get('/assets/app-abc123.js')).body).toBe('plain')
  })

  it('with a name that never changes is kept for an hour', async () => {
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
  })
})

describe('without a build', () => {
  it('says what to do', async () => {
    const empty = Fastify()
    await servePages(empty, undefined)
    const response = await empty.inject({ url: '/', headers: { accept: 'text/html' } })
    expect([response.statusCode, response.body]).toEqual([
      503,
      'The web pages are not built yet. Run "npm start", which builds them.\n',
    ])
    expect((await empty.inject('/api/nope')).statusCode).toBe(404)
  })
})
