import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminSessionSeconds } from './admin-sessions.ts'

const name = 'admin_session'

/** Sent to `/api` only, never by a page of another site, never readable by a script. */
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

/** The token in the request's cookie, if it looks like one of ours. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
