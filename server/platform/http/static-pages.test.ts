import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servePages } from './static-pages.ts'

const pages = {
  'index.html': '<style>p{}</style><link rel="canonical" href="%PUBLIC_URL%/"><p>Home</p>',
  'book-appointment.html': `<meta name="data-service" content="%DATA_SERVICE%">`,
  'pay-invoice.html': '<meta name="invoice-lookup" content="%INVOICE_LOOKUP%">',
  'sandbox-ui.html': '<p>Components</p>',
  '404.html': '<p>Nothing here</p>',
  'sitemap.xml': '<loc>%PUBLIC_URL%/pay-invoice</loc>',
  'robots.txt': 'Sitemap: %PUBLIC_URL%/sitemap.xml',
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

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'static-pages-'))
  for (const folder of ['pages', 'assets', 'public']) mkdirSync(join(directory, folder))
  for (const [name, text] of Object.entries(pages))
    writeFileSync(join(directory, 'pages', name), text)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  site = await open(directory)
})
afterAll(() => rmSync(directory, { recursive: true }))

async function open(from: string, publicUrl = 'https://shop.example'): Promise<FastifyInstance> {
  const app = Fastify()
  const dataService = { url: '', anonKey: 'key "<quoted>" $& %PUBLIC_URL%' }
  await servePages(app, { directory: from, publicUrl, dataService, invoiceLookup: 'number' })
  return app
}
const get = (url: string, headers: Record<string, string> = {}) => site.inject({ url, headers })

describe('a page', () => {
  it('is served at its address, with the site’s own address filled in', async () => {
    const response = await get('/')
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('href="https://shop.example/"')
    expect((await get('/sitemap.xml')).body).toBe('<loc>https://shop.example/pay-invoice</loc>')
    expect((await get('/robots.txt')).headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await get('/sandbox/ui')).statusCode).toBe(200)
  })

  it('holds the settings of the data client, escaped', async () => {
    const [, content = ''] = /content="([^"]*)"/.exec((await get('/book-appointment')).body) ?? []
    const text = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    expect(JSON.parse(text.replaceAll('&amp;', '&'))).toEqual({
      url: '',
      anonKey: 'key "<quoted>" $& %PUBLIC_URL%',
    })
  })

  it('says what an invoice is found by', async () => {
    expect((await get('/pay-invoice')).body).toContain('name="invoice-lookup" content="number"')
  })

  it('cannot be broken out of by a public address with quotes', async () => {
    const odd = await open(directory, 'https://shop.example/"><script>')
    expect((await odd.inject('/')).body).not.toContain('<script>')
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
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/', { 'if-none-match': known })
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
    const answers = [
      await get('/api/nope'),
      await get('/api'),
      await get('/assets/old-chunk.js', { accept: '*/*' }),
      await get('/picture', { accept: 'image/avif,image/webp,*/*' }),
      await site.inject({ method: 'POST', url: '/' }),
    ]
    for (const response of answers) {
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
    const empty = await open(join(directory, 'nowhere'))
    const response = await empty.inject({ url: '/', headers: { accept: 'text/html' } })
    expect([response.statusCode, response.body]).toEqual([
      503,
      'The web pages are not built yet. Run "npm start", which builds them.\n',
    ])
    expect((await empty.inject('/api/nope')).statusCode).toBe(404)
  })
})
