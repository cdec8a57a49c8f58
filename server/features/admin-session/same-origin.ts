import type { FastifyRequest } from 'fastify'

/**
 * Whether a request may change something in the name of who is signed in: it reads only, or it was not
 * made by a page of another site. Browsers name the page's origin on every unsafe request (Fetch
 * standard, "append a request Origin header"); programs that send none have no cookies to abuse. The
 * cookie's SameSite=Strict says the same again.
 */
export function isFromOwnPage(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined) return site === undefined || site === 'same-origin'
  // The owner also opens the site by the machine's own name, not only by its public address.
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${host ?? ''}`
}
