import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminSessionSeconds, openAdminSession } from '../admin-sessions.ts'
import type { Admin } from '../gateway/auth-gateway.ts'
import { setSessionCookie } from '../session-cookie.ts'
import { readKnownBrowserCookie, setKnownBrowserCookie } from './known-browser-cookie.ts'
import { trustBrowser } from './known-browsers.ts'
import type { LogInDependencies } from './log-in.ts'
import { closePreviousSession } from './log-out.ts'

/**
 * Signs a browser in whose person proved, without a password, to be this staff account. When the account was switched off
 * meanwhile, the browser stays signed out. The dashboard asks for its data session when it opens.
 */
export async function startSession(
  dependencies: LogInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  admin: Admin,
): Promise<void> {
  const { database, gateway, now, publicUrl } = dependencies
  await closePreviousSession(dependencies, request)
  const opened = await gateway.openSession(admin, now() + adminSessionSeconds * 1000)
  if (!opened) return
  const token = await openAdminSession(database, admin, opened.id, now())
  if (token === undefined) return gateway.closeSession(opened)
  const former = readKnownBrowserCookie(request)
  const browser = await trustBrowser(database, admin.username, former, now())
  setSessionCookie(reply, token, publicUrl)
  setKnownBrowserCookie(reply, browser, publicUrl)
}
