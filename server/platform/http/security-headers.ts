import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"

/**
 * Sets the headers of every response. A response may load nothing and may not be framed unless its route uses
 * `pagePolicy`, for a page of the site, or `allowFraming`, for a document inside a page. Strict-Transport-Security is
 * sent only if the site uses TLS.
 */
export function secureHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = {
    'content-security-policy': `${nothing}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Stripe and the map receive only the origin of the site, never the path or an invoice number in it.
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

/** The headers that browsers apply only to documents, and the request id. */
const pointlessOnParts = [
  'x-request-id',
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
]

/**
 * Removes headers that have no effect on a script, a style or a font: a page loads two dozen such files, and the
 * headers would be longer than some of them.
 */
export function asPartOfPage(reply: FastifyReply): void {
  for (const name of pointlessOnParts) reply.removeHeader(name)
}

/**
 * Allows the site's own pages to frame this response. The framing policy contains no loading rules, because such rules
 * would also apply to the browser's PDF viewer.
 */
export function allowFraming(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', "frame-ancestors 'self'")
    .header('x-frame-options', 'SAMEORIGIN')
}

/** The additional permissions of a page. */
export type PagePermissions = {
  /** The inline scripts of the build; browsers run no other inline script. */
  readonly scripts?: readonly string[]
  /** The hosted backend that the browser connects to, if any. */
  readonly dataServiceUrl?: string | undefined
}

/**
 * The policy of an HTML page: files of the site, its inline `<style>` elements and the build's scripts by their hashes,
 * the map and invoice PDFs in frames, and the card payment as a form target.
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
    // Progress bars and calendars set custom properties in style attributes; rules are not possible there.
    "style-src-attr 'unsafe-inline'",
    // The map's host is also allowed for images: the home page shows the frame of the map after an image of it has
    // loaded.
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
 * The policy of an HTML page that only appears in a frame of the site: its own `<style>`, the site's fonts, no script,
 * no form, and no navigation of the outer page. The page keeps its origin, so that its links can be downloads.
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

/** The sources that allow exactly the inline `<style>` elements of a page. */
function styleHashes(html: string): string[] {
  const stylesheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(
    ([, css = '']) => css,
  )
  return [...new Set(stylesheets.map(hashSource))]
}

/** Returns a hash source of a content security policy (https://www.w3.org/TR/CSP3/#grammardef-hash-source). */
const hashSource = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`
