import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import {
  type CustomerPage,
  messagePageNames,
  type RenderCustomerPage,
  type RenderedCustomerPage,
} from '#contracts/api/customer-pages.ts'
import type { FrameParts } from '#contracts/api/site-renderer.ts'
import { escapeHtml } from '#domain/text/escape-html.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'
import { type PagePermissions, pagePolicy } from '../security-headers.ts'

/** Sends a customer page that contains the current shop details. */
export type SendCustomerPage = (
  reply: FastifyReply,
  shop: ShopFacts,
  page: CustomerPage,
) => FastifyReply

type Frames = Readonly<Record<RenderedCustomerPage['frame'], FrameParts>>

const bareParts: FrameParts = [
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>',
  '</title></head>\n<body>',
  '</body></html>\n',
]
/** The minimal HTML around the content of a page, for a server without a web build, as in tests of the API. */
export const bareFrames: Frames = { visit: bareParts, estimate: bareParts, join: bareParts }

type Options = {
  readonly render: RenderCustomerPage
  readonly frames: Frames
  /**
   * The shop details for the message pages (such as the page for an invalid link), which are rendered before the first
   * request.
   */
  readonly shop: ShopFacts
  readonly permissions?: PagePermissions
}

/**
 * Renders the message pages immediately. Returns a function that sends these pages, and that renders every other page
 * at the time of its request.
 */
export function createCustomerPages(options: Options): SendCustomerPage {
  const { render, frames, shop, permissions } = options
  const policyOf = (parts: FrameParts) => pagePolicy(parts.join(''), permissions)
  // The content security policy is computed only from the styles and scripts around the content of a page, so that text
  // in the content cannot change the policy.
  const policies = {
    visit: policyOf(frames.visit),
    estimate: policyOf(frames.estimate),
    join: policyOf(frames.join),
  }
  const write = (current: ShopFacts, page: CustomerPage): Document => {
    const { frame, title, main } = render(current, page)
    const [beforeTitle, beforeMain, after] = frames[frame]
    const html = beforeTitle + escapeHtml(firstSentence(title)) + beforeMain + main + after
    return { policy: policies[frame], bodyIn: createBodies(html) }
  }
  const messages = new Map<string, Document>(
    messagePageNames.map((name) => [name, write(shop, { name })]),
  )
  return (reply, current, page) =>
    sendDocument(reply, messages.get(page.name) ?? write(current, page))
}

type Document = {
  readonly policy: string
  readonly bodyIn: (encoding: Encoding) => string | Buffer
}

/**
 * Compressing a customer page does not make a BREACH attack possible, because only its secret URL opens the page. An
 * attacker without the URL cannot request the page with chosen text and compare response lengths.
 */
const compress: Readonly<Record<Encoding, (html: string) => string | Buffer>> = {
  // The compression takes about a millisecond for a page of 40 kB, which consists mostly of styles.
  br: (html) => brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (html) => gzipSync(html),
  identity: (html) => html,
}

/**
 * Returns a function that returns the document `html` in an encoding. The document is compressed at most once per
 * encoding.
 */
function createBodies(html: string): Document['bodyIn'] {
  const bodies = new Map<Encoding, string | Buffer>()
  return (encoding) => {
    const body = bodies.get(encoding) ?? compress[encoding](html)
    bodies.set(encoding, body)
    return body
  }
}

function sendDocument(reply: FastifyReply, { policy, bodyIn }: Document): FastifyReply {
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  void reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, vary: 'Accept-Encoding' })
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.send(bodyIn(encoding))
}

/** Returns the first sentence of a text, such as 'Your appointment has a new time'. */
function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=[.?!]) /, 1)
  return first.replace(/\.$/, '')
}
