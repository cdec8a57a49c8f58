import type { FastifyReply, FastifyRequest } from 'fastify'
import { knownBrowserSeconds } from './known-browsers.ts'

const name = 'admin_browser'

/**
 * A known browser (with an earlier sign-in) sends this cookie only with a sign-in, never from a page of another site.
 * Scripts cannot read the cookie.
 */
export function setKnownBrowserCookie(reply: FastifyReply, token: string, publicUrl: string): void {
  reply.setCookie(name, token, {
    path: '/api/admin/login',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: knownBrowserSeconds,
  })
}

/** Returns the token in the request's cookie, if the value has the format of a known browser's token. */
export function readKnownBrowserCookie(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
