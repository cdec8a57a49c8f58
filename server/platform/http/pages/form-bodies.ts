import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Lets the routes of `scope`, and no other routes, accept URL-encoded forms of up to `bodyLimit` bytes. */
export function acceptFormBodies(scope: FastifyInstance, bodyLimit: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  )
}

/** Returns the fields of a submitted form; no fields if the request contains no form. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
