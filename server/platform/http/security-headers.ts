import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"

/**
 * Headers of every answer: nothing may be loaded by it or frame it unless its route says so, with
 * `pagePolicy` for a page of the site or `allowFraming` for a document that one of our pages shows.
 * Browsers are told to insist on TLS only where the site is reached over TLS.
 */
export function secureHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = {
    'content-security-policy': `${nothing}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Stripe and the map see which site a visitor comes from, never the page or an invoice in its address.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/** What browsers obey on a document only, and the id that a visitor may quote. */
const pointlessOnParts = [
  'x-request-id',
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
]

/**
 * Spares a script, a style or a font the headers that mean nothing on it: a page has two dozen such files,
 * and these words would be longer than some of them.
 */
export function asPartOfPage(reply: FastifyReply): void {
  for (const name of pointlessOnParts) reply.removeHeader(name)
}

/**
 * Lets our own pages show this answer in a frame. It says nothing about loading: the browser's PDF
 * viewer is a page of its own and would be bound by it.
 */
export function allowFraming(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', "frame-ancestors 'self'")
    .header('x-frame-options', 'SAMEORIGIN')
}

/** What a page may do beyond what is in it. */
export type PagePermissions = {
  /** The scripts inside our pages, as the build wrote them; what else is between `<script>` and its end never runs. */
  readonly scripts?: readonly string[]
  /** The hosted backend that the browser talks to, if any. */
  readonly dataServiceUrl?: string | undefined
}

/**
 * The policy of one HTML page: our own files, its own inline `<style>` elements and the build's scripts by their
 * hashes, the map and our PDF in frames, the card payment as the target of a form.
 */
export function pagePolicy(
  html: string,
  { scripts = [], dataServiceUrl }: PagePermissions = {},
): string {
  const dataService = dataServiceUrl ? ` ${new URL(dataServiceUrl).origin}` : ''
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts.filter((code) => html.includes(code)).map(hashSource)].join(' ')}`,
    `style-src ${["'self'", ...styleHashes(html)].join(' ')}`,
    // Progress bars and calendars set custom properties on elements; no rule can come in this way.
    "style-src-attr 'unsafe-inline'",
    // The map's host also as a picture: the home page shows the map's frame once that one has come.
    "img-src 'self' data: https://www.openstreetmap.org",
    "font-src 'self'",
    `connect-src 'self'${dataService}`,
    "manifest-src 'self'",
    "frame-src 'self' https://www.openstreetmap.org",
    "form-action 'self' https://checkout.stripe.com",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}

/**
 * The policy of an HTML page that only one of our own pages shows, in a frame: its own `<style>` and our fonts,
 * no script, no form, nowhere to lead the page around it. It keeps its origin, so that its links to our files
 * can be downloads.
 */
export function framedPagePolicy(html: string): string {
  return [
    nothing,
    `style-src ${styleHashes(html).join(' ')}`,
    "font-src 'self'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-downloads',
  ].join('; ')
}

/** The sources that let the inline `<style>` elements of a page apply, and no others. */
function styleHashes(html: string): string[] {
  const stylesheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(
    ([, css = '']) => css,
  )
  return [...new Set(stylesheets.map(hashSource))]
}

/** https://www.w3.org/TR/CSP3/#grammardef-hash-source */
const hashSource = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`
