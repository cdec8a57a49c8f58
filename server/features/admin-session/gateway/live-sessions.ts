import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { bearerOf } from '#packages/data-service/auth/authenticate.ts'
import { readSessionCookie } from '../session-cookie.ts'

/** A request of staff shows the session cookie to `/api`, and an access token to the data service. */
type Credential = 'cookie' | 'access token'

/**
 * The staff sessions that were open when this process last asked the database. It decides only for whom a request is
 * counted, from memory, before anything is asked of the database; what a request may do is checked afterwards.
 */
export type LiveSessions = {
  /** Names the live session of a request; undefined for a visitor, and for a session that was not asked about yet. */
  sessionOf(request: FastifyRequest): string | undefined
  /** Remembers what the database said about the session of a request's credential. */
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
      // Added anew, so that the set's order is the order of last use.
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
 * The signature is not checked here: a session's id is 122 random bits that only its own tokens hold, and all that it
 * gives is a count of its own.
 */
function sessionIdOf(token: string): string | undefined {
  try {
    const { session_id: id } = decodeJwt(token)
    return typeof id === 'string' ? id : undefined
  } catch {
    // Whatever it is, it names no session; the check of the token says so to the client.
    return undefined
  }
}
