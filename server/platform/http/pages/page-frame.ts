import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { FrameParts } from '#contracts/api/site-renderer.ts'
import { escapeHtml } from '#domain/text/escape-html.ts'
import { chooseEncoding } from './accept-encoding.ts'
import type { Markup } from './html.ts'
import { type PagePermissions, pagePolicy } from '../security-headers.ts'

/** What is around a page that the server writes itself, with the policy that its styles need. */
export type PageFrame = { readonly parts: FrameParts; readonly policy: string }

/** A page that the server writes. */
export type WrittenPage = {
  /** What the page says: the result of the form that led to it, or its heading. The title is its first sentence. */
  readonly title: string
  readonly main: Markup
}

export function createPageFrame(parts: FrameParts, permissions?: PagePermissions): PageFrame {
  return { parts, policy: pagePolicy(parts.join(''), permissions) }
}

/** Without a build, as in tests of the API: the page alone, as plain as can be. */
export const bareFrame = createPageFrame([
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>',
  '</title></head>\n<body>',
  '</body></html>\n',
])

// About a millisecond for a page of 40 kB, most of which are styles.
const compress = {
  br: (page: string) =>
    brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (page: string) => gzipSync(page),
}

/**
 * Sends a page inside its frame, compressed: what is secret on such a page is in its address, so that nobody who
 * lacks it can have it sent beside words of their own and learn from its length.
 */
export function sendInFrame(
  reply: FastifyReply,
  { parts: [beforeTitle, beforeMain, after], policy }: PageFrame,
  { title, main }: WrittenPage,
): FastifyReply {
  const page = beforeTitle + escapeHtml(firstSentence(title)) + beforeMain + main.text + after
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  void reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, vary: 'Accept-Encoding' })
  if (encoding === 'identity') return reply.send(page)
  return reply.header('content-encoding', encoding).send(compress[encoding](page))
}

/** 'Your appointment has a new time', of a text of one or more sentences. */
function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=[.?!]) /, 1)
  return first.replace(/\.$/, '')
}
