import { readdirSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'
import { makeOnce } from '#server/platform/queue/make-once.ts'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'
import { matchesEtag } from './etag.ts'

export const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The limits of the file cache in bytes, and of simultaneously open files (docs/product.md 10.8). */
const limits = { bytesOfFile: 256 * 1024, bytesOfAllFiles: 32 * 2 ** 20, openFiles: 256 }

const openFiles = createWorkQueue({ atOnce: limits.openFiles, waiting: 10_000, timeoutMs: 10_000 })

/**
 * The number of bytes that are read at a time from a file that is not cached. The file is open only during each read,
 * so that a slow client cannot keep the file open.
 */
const pieceBytes = 64 * 1024

/** The headers and content of a file in one encoding. */
type Body = {
  readonly headers: Readonly<Record<string, string>>
  readonly read: () => Promise<Buffer> | Readable
}

export type StaticFile = {
  /** The uncompressed content of the file and the compressed variants that the build created. */
  readonly bodies: Readonly<{ identity: Body } & Partial<Record<Encoding, Body>>>
}

/** The number of bytes that may still be added to the cache in memory. */
export type FileMemory = { bytesLeft: number }

export const createFileMemory = (): FileMemory => ({ bytesLeft: limits.bytesOfAllFiles })

type Folder = {
  readonly directory: string
  readonly memory: FileMemory
  /** Additional response headers of a file; `etag` identifies its version. */
  readonly headersOf: (name: string, etag: string) => Readonly<Record<string, string>>
}

const compressed = { br: '.br', gzip: '.gz' } as const

/** Returns the files of a folder of the web build, by file name. The files must not change while the process runs. */
export function listStaticFiles(folder: Folder): ReadonlyMap<string, StaticFile> {
  const entries = readdirSync(folder.directory, { withFileTypes: true })
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const plain = [...names].filter(
    (name) => !names.has(name.replace(/\.(br|gz)$/, '')) || !/\.(br|gz)$/.test(name),
  )
  return new Map(plain.map((name) => [name, prepareFile(folder, name, names)]))
}

function prepareFile(folder: Folder, name: string, names: ReadonlySet<string>): StaticFile {
  const found = Object.entries(compressed).filter(([, suffix]) => names.has(name + suffix))
  const vary = found.length > 0 ? { vary: 'Accept-Encoding' } : {}
  const identity = prepareBody(folder, name, '', vary)
  const bodies = found.map(([encoding, suffix]) => [
    encoding,
    prepareBody(folder, name, suffix, { ...vary, 'content-encoding': encoding }),
  ])
  return { bodies: { identity, ...Object.fromEntries(bodies) } }
}

function prepareBody(
  { directory, memory, headersOf }: Folder,
  name: string,
  suffix: string,
  encodingHeaders: Readonly<Record<string, string>>,
): Body {
  const path = join(directory, name + suffix)
  const { size, mtimeMs } = statSync(path)
  const fits = size <= Math.min(limits.bytesOfFile, memory.bytesLeft)
  if (fits) memory.bytesLeft -= size
  return {
    headers: {
      'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
      'content-length': String(size),
      ...encodingHeaders,
      ...headersOf(name, `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`),
    },
    read: fits
      ? makeOnce(() => openFiles(() => readFile(path)))
      : () => Readable.from(readPieces(path, size)),
  }
}

async function* readPieces(path: string, size: number): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < size;) {
    const piece = await openFiles(() => readPiece(path, offset))
    if (piece.length === 0) throw new Error('a file of the build was shortened while it was sent')
    offset += piece.length
    yield piece
  }
}

async function readPiece(path: string, position: number): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(pieceBytes), position })
  return buffer.subarray(0, bytesRead)
}

export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bodies }: StaticFile,
): Promise<FastifyReply> {
  const wanted =
    (bodies.br ?? bodies.gzip) ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
  const { headers, read } = bodies[wanted] ?? bodies.identity
  void reply.headers(headers)
  const { etag } = headers
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    return reply.code(304).removeHeader('content-length').send()
  }
  return reply.send(await read())
}
