import type { FastifyRequest } from 'fastify'
import type { Identity } from '@local/postgres'
import type { ErrorBody } from './response/refusal.ts'

/** The identity that a request acts as, or the error response when the request has no valid key or token. */
export type Caller =
  | { readonly ok: true; readonly identity: Identity }
  | {
      readonly ok: false
      readonly status: number
      readonly body: ErrorBody
      readonly headers?: Readonly<Record<string, string>>
    }

/**
 * Authenticates a request by its headers. `identity.headers` are the headers that triggers can read as
 * `request.headers`. The identity contains only headers of an allow-list, because triggers may store them.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Caller> | Caller
