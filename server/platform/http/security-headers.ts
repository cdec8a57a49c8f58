import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'"

/**
 * Sets the headers of every response. By default, a response may neither load anything nor appear in a frame. A route
 * that sends a page of the site uses `pagePolicy`, and a route that sends a document for a frame of the site uses
 * `allowFraming`. Strict-Transport-Security is sent only if the site uses TLS.
 */
export function secureHeaders(app: FastifyInstance, publicUrl: string): void {
  const headers = {
    'content-security-policy': `${nothing}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Stripe and the map service receive only the origin of the site as the referrer, never the path, which may
    // contain an invoice number.
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

/**
 * The headers that are removed from scripts, styles and fonts: the headers that only affect documents, and the request
 * id.
 */
const pointlessOnParts = [
  'x-request-id',
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
]

/**
 * Removes headers that have no effect on a script, a style or a font. A page loads two dozen such files, and the
 * headers would be larger than some of these files.
 */
export function asPartOfPage(reply: FastifyReply): void {
  for (const name of pointlessOnParts) reply.removeHeader(name)
}

/**
 * Allows the site's own pages to frame this response. The policy contains only the rule about framing, because rules
 * about loading would also apply to the browser's PDF viewer.
 */
export function allowFraming(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', "frame-ancestors 'self'")
    .header('x-frame-options', 'SAMEORIGIN')
}

/** The sources that the content security policy of a page allows in addition to those of every page. */
export type PagePermissions = {
  /** The inline scripts of the web build. Browsers run no other inline scripts. */
  readonly scripts?: readonly string[]
  /** The hosted Supabase project to which the browser connects, if there is one. */
  readonly dataServiceUrl?: string | undefined
}

/**
 * Returns the content security policy of an HTML page. The policy allows files of the site, the page's inline `<style>`
 * elements, the inline scripts of the build by their hashes, frames with the map and with invoice PDFs, and forms whose
 * response redirects to the card payment.
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
    // Style attributes are allowed, because progress bars and calendars set custom properties in them instead of
    // using style sheet rules.
    "style-src-attr 'unsafe-inline'",
    // The host of the map is also allowed for images, because the home page loads an image of the map before it shows
    // the frame with the map.
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
 * Returns the content security policy of an HTML page that only appears in a frame of the site. The policy allows
 * the page's own `<style>` and the site's fonts, but no script, no form, and no navigation of the outer page. The
 * page keeps its origin, so that its links can be downloads.
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

/** Returns the policy sources that allow exactly the inline `<style>` elements of a page. */
function styleHashes(html: string): string[] {
  const stylesheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(
    ([, css = '']) => css,
  )
  return [...new Set(stylesheets.map(hashSource))]
}

/** Returns a hash source of a content security policy (https://www.w3.org/TR/CSP3/#grammardef-hash-source). */
const hashSource = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`
