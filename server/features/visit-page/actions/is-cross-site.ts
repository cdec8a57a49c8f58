import type { FastifyRequest } from 'fastify'

/**
 * Whether a page of another site sent the form. The visit page sends no referrer, so its own forms have the origin
 * 'null' (Fetch standard, "append a request Origin header"). Browsers report in the header Sec-Fetch-Site whether
 * another site sent a form. Any client that knows the link may act; this check only prevents other sites from
 * triggering an action in a customer's browser.
 */
export function isCrossSite(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method !== 'POST') return false
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  const own = [undefined, 'null', new URL(publicUrl).origin, `${request.protocol}://${host ?? ''}`]
  return !own.includes(origin)
}
