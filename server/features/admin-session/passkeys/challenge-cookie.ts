import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'passkey_browser'

/**
 * Returns the token that binds passkey challenges to a browser, and sets the cookie with this token if the browser
 * has none. All tabs of a browser share the token. Scripts cannot read the token, and the token signs nobody in.
 */
export function bindBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): string {
  const token = readBrowserToken(request) ?? randomBytes(32).toString('base64url')
  reply.setCookie(name, token, {
    path: '/api/admin',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
  })
  return token
}

/**
 * Returns the token in the challenge cookie of a request; undefined if the value does not have the format of a token.
 */
export function readBrowserToken(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
