import type { FastifyRequest } from 'fastify'
import type { Identity } from '@local/postgres'
import type { ErrorBody } from './response/refusal.ts'

/** The identity of a request: PostgREST's role names. */
export type RequestIdentity = Identity<'anon' | 'authenticated' | 'service_role'>

/** Whose request it is, or the answer to one whose token does not hold. */
export type Caller =
  | { readonly ok: true; readonly identity: RequestIdentity }
  | {
      readonly ok: false
      readonly status: number
      readonly body: ErrorBody
      readonly headers?: Readonly<Record<string, string>>
    }

/**
 * Tells who is calling from the request's headers. `identity.headers` is what triggers may read of
 * the request (`request.headers`): an allow-list, since whatever is in it can reach a log or a row.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Caller> | Caller
