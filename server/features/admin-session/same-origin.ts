import type { FastifyRequest } from 'fastify'

/**
 * Whether a request may act for the signed-in admin: either the request only reads, or it was not sent by a page of
 * another site. Browsers send the page's origin with every unsafe request (Fetch standard, "append a request Origin
 * header"). A program that sends no origin is not a browser, so it has no cookies of a team member. The cookie's
 * SameSite=Strict enforces the same rule a second time.
 */
export function isFromOwnPage(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined) return site === undefined || site === 'same-origin'
  // Browsers can open the site at its public URL, and at another host name of the server. Both origins belong to the
  // site.
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${host ?? ''}`
}
