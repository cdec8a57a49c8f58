import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Lets the routes of `scope`, and no others, take what a plain form posts, up to `bodyLimit` octets. */
export function acceptFormBodies(scope: FastifyInstance, bodyLimit: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  )
}

/** The fields that were posted; none where there was no form. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
