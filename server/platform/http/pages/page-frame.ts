import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { FrameParts } from '#contracts/api/site-renderer.ts'
import { escapeHtml } from '#domain/text/escape-html.ts'
import { chooseEncoding } from './accept-encoding.ts'
import type { Markup } from './html.ts'
import { type PagePermissions, pagePolicy } from '../security-headers.ts'

/** The HTML around a page that the server renders, and the content security policy for its styles. */
export type PageFrame = { readonly parts: FrameParts; readonly policy: string }

/** A page that the server renders. */
export type WrittenPage = {
  /** The result of the form that led to the page, or its heading. The title of the HTML is its first sentence. */
  readonly title: string
  readonly main: Markup
}

export function createPageFrame(parts: FrameParts, permissions?: PagePermissions): PageFrame {
  return { parts, policy: pagePolicy(parts.join(''), permissions) }
}

/** A minimal frame for a server without a build, as in tests of the API. */
export const bareFrame = createPageFrame([
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>',
  '</title></head>\n<body>',
  '</body></html>\n',
])

// Takes about a millisecond for a page of 40 kB, most of which are styles.
const compress = {
  br: (page: string) =>
    brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (page: string) => gzipSync(page),
}

/**
 * Sends a page inside its frame, compressed. Compression reveals nothing, because the secret of such a page is in its
 * URL: an attacker without the URL cannot request the page with text of their own and compare lengths.
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

/** Returns the first sentence of a text, such as 'Your appointment has a new time'. */
function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=[.?!]) /, 1)
  return first.replace(/\.$/, '')
}
