import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'shop_tablet'

/**
 * Browsers keep a cookie for at most 400 days (RFC 6265bis, section 5.5). Each opening of the tablet page renews the
 * cookie.
 */
const seconds = 400 * 24 * 60 * 60

/**
 * The cookie identifies a browser as a shared tablet, but signs nobody in. Scripts and other sites cannot use the
 * cookie.
 */
export function setTabletCookie(reply: FastifyReply, token: string, publicUrl: string): void {
  reply.setCookie(name, token, {
    path: '/api',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: seconds,
  })
}

/** Returns the token in the request's cookie, if the value has the format of a tablet token. */
export function readTabletCookie(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
