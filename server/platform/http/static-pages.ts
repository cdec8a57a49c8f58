import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '#contracts/errors.ts'
import type { InvoiceLookup } from '#contracts/invoice-lookup.ts'
import { escapeHtml } from '#domain/escape-html.ts'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'
import { asPartOfPage, pagePolicy } from './security-headers.ts'

export type StaticPages = {
  /** What the build wrote: `pages/`, `assets/` and `public/`. */
  readonly directory: string
  readonly publicUrl: string
  /** What the browser's data client needs; an empty url means the page's own origin. */
  readonly dataService: { readonly url: string; readonly anonKey: string }
  readonly invoiceLookup: InvoiceLookup
}

type Page = {
  readonly type: string
  readonly policy: string | undefined
  readonly bodies: Readonly<Record<Encoding, Buffer>>
  /** Names the content; each encoding adds its own suffix. */
  readonly hash: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/** Serves the built site: pages from memory, assets from disk for ever, 404 for all other addresses. */
export async function servePages(app: FastifyInstance, site: StaticPages): Promise<void> {
  if (!existsSync(join(site.directory, 'pages'))) return explainMissingBuild(app)
  const pages = await readPages(site)
  const notFound = pages.get('/404')
  pages.delete('/404')
  for (const [path, page] of pages) {
    app.get(path, (request, reply) => sendPage(request, reply, page))
  }
  await serveFiles(app, site.directory)
  app.setNotFoundHandler((request, reply) => {
    // Only the address of a page leads on, so whatever else a client may have sent need not be a URL.
    const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(request.url) ?? []
    const plain = path.replace(/^\/+/, '/').replace(/\/+$/, '')
    if (plain !== path && pages.has(plain)) return reply.redirect(plain + search, 308)
    if (notFound && wantsPage(request)) return sendPage(request, reply.code(404), notFound)
    return answerNotFound(reply)
  })
}

async function readPages(site: StaticPages): Promise<Map<string, Page>> {
  const folder = join(site.directory, 'pages')
  const files = await readdir(folder)
  const entries = files.map(async (file): Promise<[string, Page]> => {
    const text = fillIn(await readFile(join(folder, file), 'utf8'), site)
    return [pathOf(file), await preparePage(text, extname(file), site.dataService.url)]
  })
  return new Map(await Promise.all(entries))
}

/** index.html is /, book-appointment.html is /book-appointment; other files keep their names. */
function pathOf(file: string): string {
  if (file === 'index.html') return '/'
  return `/${file.replace(/\.html$/, '').replace(/^sandbox-/, 'sandbox/')}`
}

function fillIn(text: string, { publicUrl, dataService, invoiceLookup }: StaticPages): string {
  // A URL in normal form holds no quote and no angle bracket, so it fits into HTML, XML and JSON.
  const url = new URL(publicUrl).href.replace(/\/$/, '')
  return text
    .replaceAll('%PUBLIC_URL%', () => url)
    .replaceAll('%INVOICE_LOOKUP%', invoiceLookup)
    .replaceAll('%DATA_SERVICE%', () => escapeHtml(JSON.stringify(dataService)))
}

async function preparePage(text: string, extension: string, dataServiceUrl: string): Promise<Page> {
  const identity = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ])
  return {
    type: types[extension] ?? 'application/octet-stream',
    policy: extension === '.html' ? pagePolicy(text, dataServiceUrl || undefined) : undefined,
    bodies: { identity, br, gzip: zipped },
    hash: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const etag = `"${page.hash}-${encoding}"`
  reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
  if (page.policy) reply.header('content-security-policy', page.policy)
  if (reply.statusCode === 200 && isKnown(request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(page.type).send(page.bodies[encoding])
}

/** If-None-Match compares weakly (RFC 9110, section 13.1.2): proxies that recompress mark tags W/. */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}

async function serveFiles(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    // Their names change with their content: nobody has to ask again, so nothing to ask by.
    immutable: true,
    maxAge: '365d',
    etag: false,
    lastModified: false,
    acceptRanges: false,
    setHeaders: (reply, path) => {
      if (/\.(js|css|woff2)(\.br|\.gz)?$/.test(path)) asPartOfPage(reply)
    },
  })
  if (!existsSync(join(directory, 'public'))) return
  await app.register(fastifyStatic, {
    root: join(directory, 'public'),
    prefix: '/',
    wildcard: false,
    decorateReply: false,
    index: false,
    maxAge: '1h',
    setHeaders: (reply, path) => {
      // Our drawings style themselves; opened by themselves they still may load nothing.
      if (path.endsWith('.svg')) {
        reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      }
    },
  })
}

const machines = /^\/(api|rest|auth|functions|assets)(\/|$)/

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (machines.test(request.url)) return false
  const accept = request.headers.accept ?? '*/*'
  return /text\/html|\*\/\*/.test(accept) && !accept.startsWith('image/')
}

function answerNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(errorBody('NOT_FOUND', 'There is nothing at this address.'))
}

function explainMissingBuild(app: FastifyInstance): void {
  app.log.warn('the web pages are not built: run "npm start", which builds them')
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The web pages are not built yet. Run "npm start", which builds them.\n')
      : answerNotFound(reply),
  )
}
