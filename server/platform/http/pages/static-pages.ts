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

/** A file of the site as it is sent. */
type Page = {
  readonly type: string
  readonly policy: string | undefined
  /** Made when a visitor first asks for it: after a change of the shop few of all pages are, and few encodings. */
  readonly bodies: Readonly<Record<Encoding, () => Promise<Buffer>>>
  /** Names the content; each encoding adds its own suffix. */
  readonly hash: string
}

/** All pages of the site by their paths; '/404' is for every other address. */
export type Pages = ReadonlyMap<string, Page>

/** Where the site comes from: what the build wrote, and the pages as they are at the moment of asking. */
export type StaticSite = { readonly directory: string; readonly currentPages: () => Pages }

/**
 * Serves the site: pages from memory, assets that browsers keep for ever, 404 for all other addresses. The pages may
 * change while it runs, their paths may not. Without a site it says how to build one.
 */
export async function servePages(
  app: FastifyInstance,
  site: StaticSite | undefined,
): Promise<void> {
  if (!site) return explainMissingBuild(app)
  const { directory, currentPages } = site
  const paths = new Set(currentPages().keys())
  paths.delete('/404')
  const send = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const page = currentPages().get(path)
    return page ? sendPage(request, reply, page) : sendNotFound(reply)
  }
  for (const path of paths) app.get(path, (request, reply) => send(request, reply, path))
  serveFiles(app, directory)
  app.setNotFoundHandler((request, reply) => {
    // Only the address of a page leads on, so whatever else a client may have sent need not be a URL.
    const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(request.url) ?? []
    const plain = path.replace(/^\/+/, '/').replace(/\/+$/, '')
    if (plain !== path && paths.has(plain)) return reply.redirect(plain + search, 308)
    if (wantsPage(request)) return send(request, reply.code(404), '/404')
    return sendNotFound(reply)
  })
}

/** Makes the files of a site ready to be sent, by their paths. */
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

/** index.html is /, book-appointment.html is /book-appointment; other files keep their names. */
function pathOf(file: string): string {
  if (file === 'index.html') return '/'
  return `/${file.replace(/\.html$/, '').replace(/^sandbox-/, 'sandbox/')}`
}

/** The best but one: somebody waits for it, and the last percent takes twice as long. */
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

/** What the browser keeps, and how long: the names of assets change with their content, those of public files never. */
const cacheForever = { 'cache-control': 'public, max-age=31536000, immutable' }
const cacheOneHour = { 'cache-control': 'public, max-age=3600' }

/** Our drawings style themselves; opened by themselves they still may load nothing. */
const drawingPolicy = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

const asStaticFile = { config: { uncounted: 'static file' } } as const

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

function explainMissingBuild(app: FastifyInstance): void {
  app.log.warn('the web pages are not built: run "npm start", which builds them')
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The web pages are not built yet. Run "npm start", which builds them.\n')
      : sendNotFound(reply),
  )
}
