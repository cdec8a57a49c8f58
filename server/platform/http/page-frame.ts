import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { chooseEncoding } from './accept-encoding.ts'
import type { Markup } from './html.ts'
import { type PageRights, pagePolicy } from './security-headers.ts'

/** What is around a page that the server writes itself, with the policy that its styles need. */
export type PageFrame = { readonly before: string; readonly after: string; readonly policy: string }

/** A frame of these two halves. */
export function createPageFrame(before: string, after: string, rights?: PageRights): PageFrame {
  return { before, after, policy: pagePolicy(before + after, rights) }
}

/** Without a build, as in tests of the API: the page alone, as plain as can be. */
export const bareFrame = createPageFrame(
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Your appointment</title></head>\n<body>',
  '</body></html>\n',
)

// About a millisecond for a page of 40 kB, most of which are styles.
const compress = {
  br: (page: string) =>
    brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (page: string) => gzipSync(page),
}

/**
 * Sends `content` inside its frame, compressed: what is secret on such a page is in its address, so that nobody who
 * lacks it can have it sent beside words of their own and learn from its length.
 */
export function sendInFrame(
  reply: FastifyReply,
  { before, after, policy }: PageFrame,
  content: Markup,
): FastifyReply {
  const page = before + content.text + after
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  void reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, vary: 'Accept-Encoding' })
  if (encoding === 'identity') return reply.send(page)
  return reply.header('content-encoding', encoding).send(compress[encoding](page))
}
