import type { FastifyReply, FastifyRequest } from 'fastify'
import { knownBrowserSeconds } from './known-browsers.ts'

const name = 'admin_browser'

/** Sent only where a password is tried, never by a page of another site, never readable by a script. */
export function setKnownBrowserCookie(reply: FastifyReply, token: string, publicUrl: string): void {
  reply.setCookie(name, token, {
    path: '/api/admin/login',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
    maxAge: knownBrowserSeconds,
  })
}

/** The token in the request's cookie, if it looks like one of ours. */
export function readKnownBrowserCookie(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
