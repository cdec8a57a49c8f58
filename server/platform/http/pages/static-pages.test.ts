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
  await servePages(site, {
    directory,
    currentPages: () => current,
    application: { path: '/book-appointment', hasView: (path) => path === '/book-appointment/now' },
  })
})
afterAll(() => rmSync(directory, { recursive: true }))

const get = (url: string, headers: Record<string, string> = {}) => site.inject({ url, headers })

describe('a page of the site', () => {
  it('is served at its path with its content type', async () => {
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

  it('is sent with its new content and a new ETag after the pages of the site have changed', async () => {
    const before = await get('/')
    current = preparePages({ ...pages, 'index.html': '<p>Moved</p>' })
    const matching = { 'if-none-match': String(before.headers.etag) }
    const after = await get('/', matching)
    expect([after.statusCode, after.body]).toEqual([200, '<p>Moved</p>'])
    current = preparePages(pages)
    expect((await get('/', matching)).statusCode).toBe(304)
  })

  it('has its own content security policy, and is revalidated by browsers at each request', async () => {
    const { headers } = await get('/')
    expect(headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-/)
    expect(headers['cache-control']).toBe('no-cache')
  })

  it('is compressed with the best encoding that the browser accepts', async () => {
    const brotli = await get('/', { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toContain('Home')
    const zipped = await get('/', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(zipped.rawPayload).toString()).toContain('Home')
    expect((await get('/')).headers['content-encoding']).toBeUndefined()
  })

  it('returns 304 for its current ETag', async () => {
    const etag = String((await get('/')).headers.etag)
    for (const matching of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/', { 'if-none-match': matching })
      expect([response.statusCode, response.body]).toEqual([304, ''])
    }
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const compressed = await get('/', { 'if-none-match': etag, 'accept-encoding': 'br' })
    expect(compressed.statusCode).toBe(200)
  })

  it('responds to HEAD with the same headers and no body', async () => {
    const [head, full] = [await site.inject({ method: 'HEAD', url: '/' }), await get('/')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(full.headers['content-length'])
  })

  it('redirects from its path with a trailing slash', async () => {
    const response = await get('/book-appointment/?service=1')
    expect(response.statusCode).toBe(308)
    expect(response.headers.location).toBe('/book-appointment?service=1')
  })
})

describe('a page with client-side routes below its path', () => {
  it('is sent for the paths of its client-side routes', async () => {
    const response = await get('/book-appointment/now?service=1')
    expect([response.statusCode, response.body]).toEqual([200, '<p>Book</p>'])
  })

  it('redirects from the path of a client-side route with a trailing slash', async () => {
    const response = await get('/book-appointment/now/?service=1')
    expect([response.statusCode, response.headers.location]).toEqual([
      308,
      '/book-appointment/now?service=1',
    ])
  })

  it('is not sent for an unknown path below the path of the page, which gets the 404 page', async () => {
    const response = await get('/book-appointment/later', { accept: 'text/html' })
    expect([response.statusCode, response.body]).toEqual([404, '<p>Nothing here</p>'])
  })
})

describe('an unknown path', () => {
  it.each([
    '/nope',
    '/404',
    '/index.html',
    '/nope/',
    '//evil.example/',
    '/%00',
    '/pages/index.html',
  ])('%s gets the 404 page with status 404', async (url) => {
    const response = await get(url, { accept: 'text/html' })
    expect([response.statusCode, response.body]).toEqual([404, '<p>Nothing here</p>'])
  })

  it('gets JSON instead of the 404 page for API clients and for assets', async () => {
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

  it('never opens a file outside the folder of the site', async () => {
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
  it('is cached by browsers permanently, and sent compressed', async () => {
    const response = await get('/assets/app-abc123.js', { 'accept-encoding': 'br, gzip' })
    expect([response.body, response.headers['content-encoding']]).toEqual(['brotli', 'br'])
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-type']).toMatch(/javascript/)
    expect((await get('/assets/app-abc123.js')).body).toBe('plain')
  })

  it('is cached for an hour if its name does not change between builds', async () => {
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
  })
})

describe('a server whose site was not built', () => {
  it('responds with instructions for the build', async () => {
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
