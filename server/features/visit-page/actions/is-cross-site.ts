import type { FastifyRequest } from 'fastify'

/**
 * Whether a page of another site posts. The page names no referrer, so its own forms come with the origin 'null' (Fetch
 * standard, "append a request Origin header"): browsers say in Sec-Fetch-Site where they are from. Who knows the address
 * may act anyway; this keeps others from having it acted on.
 */
export function isCrossSite(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method !== 'POST') return false
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  const own = [undefined, 'null', new URL(publicUrl).origin, `${request.protocol}://${host ?? ''}`]
  return !own.includes(origin)
}
