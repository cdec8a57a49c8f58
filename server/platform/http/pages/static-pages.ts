import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '#contracts/api/errors.ts'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'
import { makeOnce } from '#server/platform/queue/make-once.ts'
import { matchesEtag } from './etag.ts'
import { asPartOfPage, pagePolicy, type PagePermissions } from '../security-headers.ts'
import { contentTypes, createFileMemory, listStaticFiles, sendStaticFile } from './static-files.ts'

/** A page or text file of the site, ready to be sent. */
type Page = {
  readonly type: string
  readonly policy: string | undefined
  /**
   * For each encoding, a function that compresses the page at its first request. Many pages are never requested in most
   * encodings before the shop details change again.
   */
  readonly bodies: Readonly<Record<Encoding, () => Promise<Buffer>>>
  /** The hash of the content. The ETag of each encoding consists of this hash and a suffix. */
  readonly hash: string
}

/** All pages of the site by their paths; the page '/404' is sent for every unknown path. */
export type Pages = ReadonlyMap<string, Page>

/** The output folder of the web build, and a function that returns the current pages. */
export type StaticSite = {
  readonly directory: string
  readonly currentPages: () => Pages
  /**
   * A page with a client-side router. The page is also sent for those paths below its own path that `hasView`
   * accepts.
   */
  readonly application?: {
    readonly path: string
    readonly hasView: (path: string) => boolean
    /** A second path at which the site serves the same page. */
    readonly alias?: string
  }
}

/**
 * Serves the site: pages from memory, assets that browsers cache permanently, and the 404 page for all other paths.
 * The content of the pages may change while the server runs; their paths do not. Without a web build, responds with
 * instructions.
 */
export async function servePages(
  app: FastifyInstance,
  site: StaticSite | undefined,
): Promise<void> {
  if (!site) return explainMissingBuild(app)
  const { directory, currentPages, application } = site
  const paths = new Set(currentPages().keys())
  paths.delete('/404')
  const send = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const page = currentPages().get(path)
    return page ? sendPage(request, reply, page) : sendNotFound(reply)
  }
  const asPage = { config: { rights: 'public' } } as const
  for (const path of paths) app.get(path, asPage, (request, reply) => send(request, reply, path))
  if (application) {
    const { path, hasView, alias } = application
    if (alias) app.get(alias, asPage, (request, reply) => send(request, reply, path))
    app.get(`${path}/*`, asPage, (request, reply) =>
      hasView(pathOfUrl(request.url)) ? send(request, reply, path) : reply.callNotFound(),
    )
  }
  serveFiles(app, directory)
  app.setNotFoundHandler((request, reply) => {
    // The path and the query are extracted without a URL parser, because the requested URL may be malformed.
    const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(request.url) ?? []
    const plain = path.replace(/^\/+/, '/').replace(/\/+$/, '')
    const isKnown = paths.has(plain) || application?.hasView(plain) === true
    if (plain !== path && isKnown) return reply.redirect(plain + search, 308)
    if (wantsPage(request)) return send(request, reply.code(404), '/404')
    return sendNotFound(reply)
  })
}

const pathOfUrl = (url: string) => /^[^?#]*/.exec(url)?.[0] ?? ''

/** Prepares the pages and text files of a site for sending. The keys of the returned map are the paths. */
export function preparePages(
  files: Readonly<Record<string, string>>,
  permissions?: PagePermissions,
): Pages {
  return new Map(
    Object.entries(files).map(([file, text]) => {
      const policy = file.endsWith('.html') ? pagePolicy(text, permissions) : undefined
      return [pathOf(file), preparePage(text, extname(file), policy)]
    }),
  )
}

/** index.html becomes /, book-appointment.html becomes /book-appointment; other files keep their names. */
function pathOf(file: string): string {
  if (file === 'index.html') return '/'
  return `/${file.replace(/\.html$/, '').replace(/^sandbox-/, 'sandbox/')}`
}

/**
 * The Brotli quality level. The maximum of 11 would save another percent of size, but take twice as long while a
 * visitor waits.
 */
const brotliQuality = 10

function preparePage(text: string, extension: string, policy: string | undefined): Page {
  const identity = Buffer.from(text)
  const br = makeOnce(() => promisify(brotliCompress)(identity, { params: brotliParams(identity) }))
  const zipped = makeOnce(() => promisify(gzip)(identity, { level: 9 }))
  return {
    type: contentTypes[extension] ?? 'application/octet-stream',
    policy,
    bodies: { identity: () => Promise.resolve(identity), br, gzip: zipped },
    hash: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
  }
}

const brotliParams = (page: Buffer) => ({
  [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
  [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
})

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const etag = `"${page.hash}-${encoding}"`
  reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
  if (page.policy) reply.header('content-security-policy', page.policy)
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).send()
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(page.type).send(await page.bodies[encoding]())
}

/**
 * Cache headers: assets are cached permanently, because their names change with their content. Public files keep
 * their names, so they are cached for an hour.
 */
const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' }
const cacheOneHour = { 'cache-control': 'public, max-age=3600' }

/**
 * SVG drawings contain their own styles. If a browser opens a drawing as a document of its own, this policy forbids
 * loading anything else.
 */
const drawingPolicy = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

const asStaticFile = { config: { rights: 'public', uncounted: 'static file' } } as const

function serveFiles(app: FastifyInstance, directory: string): void {
  const memory = createFileMemory()
  const assets = listStaticFiles({
    directory: join(directory, 'assets'),
    memory,
    headersOf: () => cacheForever,
  })
  app.get(
    '/assets/*',
    asStaticFile,
    (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
      const name = request.params['*']
      const file = assets.get(name)
      if (!file) return sendNotFound(reply)
      if (/\.(js|css|woff2)$/.test(name)) asPartOfPage(reply)
      return sendStaticFile(request, reply, file)
    },
  )
  if (!existsSync(join(directory, 'public'))) return
  const publicFiles = listStaticFiles({
    directory: join(directory, 'public'),
    memory,
    headersOf: (name, etag) => ({
      etag,
      ...cacheOneHour,
      ...(name.endsWith('.svg') ? drawingPolicy : {}),
    }),
  })
  for (const [name, file] of publicFiles) {
    app.get(`/${name}`, asStaticFile, (request, reply) => sendStaticFile(request, reply, file))
  }
}

const machines = /^\/(api|rest|auth|functions|assets)(\/|$)/

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (machines.test(request.url)) return false
  const accept = request.headers.accept ?? '*/*'
  return /text\/html|\*\/\*/.test(accept) && !accept.startsWith('image/')
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(errorBody('NOT_FOUND', 'There is nothing at this address.'))
}

/** The text that is sent instead of a page if the web build is missing. */
export const missingBuild = 'The web pages are not built yet. Run "npm start", which builds them.\n'

function explainMissingBuild(app: FastifyInstance): void {
  app.log.warn('the web pages are not built: run "npm start", which builds them')
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? reply.code(503).type('text/plain; charset=utf-8').send(missingBuild)
      : sendNotFound(reply),
  )
}
