import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { apiErrors } from '#contracts/api/errors.ts'

/**
 * Compares each response of an endpoint with its contract: all declared fields must be valid, and no others may be
 * present. Returns a list to which each violation adds a sentence.
 */
export function checkResponses(app: FastifyInstance): readonly string[] {
  const broken: string[] = []
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint && !isAsPromised(endpoint, reply.statusCode, asSent(payload))) {
      broken.push(`${endpoint.method} ${endpoint.path} answered ${JSON.stringify(payload)}.`)
    }
    return payload
  })
  return broken
}

function isAsPromised({ response }: Endpoint, status: number, sent: unknown): boolean {
  if (status >= 400) return isRefusal(sent)
  const read = response?.safeParse(sent)
  return read?.success === true && isDeepStrictEqual(asSent(read.data), sent)
}

function isRefusal(sent: unknown): boolean {
  const { ok, code, message } = Object(sent) as Record<string, unknown>
  return ok === false && Object.hasOwn(apiErrors, String(code)) && typeof message === 'string'
}

const asSent = (payload: unknown): unknown => JSON.parse(JSON.stringify(payload))
