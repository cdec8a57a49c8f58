import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminSessionSeconds } from './admin-sessions.ts'

const name = 'admin_session'

/**
 * Browsers send the session cookie to `/api` only, never from a page of another site. Scripts cannot read the
 * cookie.
 */
function attributes(publicUrl: string): CookieSerializeOptions {
  return {
    path: '/api',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
  }
}

export function setSessionCookie(reply: FastifyReply, token: string, publicUrl: string): void {
  reply.setCookie(name, token, { ...attributes(publicUrl), maxAge: adminSessionSeconds })
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(name, attributes(publicUrl))
}

/** Returns the token in the request's session cookie, if the value has the format of a session token. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
