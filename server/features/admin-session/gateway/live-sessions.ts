import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { bearerOf } from '@local/data-service'
import { readSessionCookie } from '../session-cookie.ts'

/** The credential of a staff request: the session cookie below `/api`, or an access token at the REST API. */
type Credential = 'cookie' | 'access token'

/**
 * Caches the staff sessions that the database last reported as open. The cache only decides which rate limit applies
 * to a request before the first database query. The permission check follows later.
 */
export type LiveSessions = {
  /** Returns the id of the staff session of a request; undefined for visitors and for sessions not in the cache. */
  sessionOf(request: FastifyRequest): string | undefined
  /** Records whether the database accepted the credential of a request. */
  note(request: FastifyRequest, credential: Credential, isOpen: boolean): void
}

const maxSessions = 1_000

export function createLiveSessions(): LiveSessions {
  const open = new Set<string>()
  return {
    sessionOf(request) {
      const names = [nameBy.cookie(request), nameBy['access token'](request)]
      return names.find((name) => name !== undefined && open.has(name))
    },
    note(request, credential, isOpen) {
      const name = nameBy[credential](request)
      if (name === undefined) return
      // Moves the session to the end of the set, which therefore lists the sessions in the order of their last use.
      open.delete(name)
      if (isOpen) open.add(name)
      const [oldest = ''] = open
      if (open.size > maxSessions) open.delete(oldest)
    },
  }
}

const nameBy: Readonly<Record<Credential, (request: FastifyRequest) => string | undefined>> = {
  cookie(request) {
    const token = readSessionCookie(request)
    return token && createHash('sha256').update(token).digest('base64url')
  },
  'access token'(request) {
    const token = bearerOf(request)
    return token?.split('.').length === 3 ? sessionIdOf(token) : undefined
  },
}

/**
 * Reads the session id in an access token without checking the signature. The id has 122 random bits, which nobody can
 * guess, and a client that knows an id gains only a separate rate limit.
 */
function sessionIdOf(token: string): string | undefined {
  try {
    const { session_id: id } = decodeJwt(token)
    return typeof id === 'string' ? id : undefined
  } catch {
    // A malformed access token contains no session id. The REST API checks the token later and reports the error to the
    // client.
    return undefined
  }
}
