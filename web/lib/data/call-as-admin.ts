import type { Endpoint } from '#contracts/api/endpoint.ts'
import type { Result } from '#domain/result.ts'
import {
  type Answering,
  type ApiError,
  readReply,
  type RequestArguments,
  send,
} from './call-api.ts'
import { sessionRefused, untilSignOut } from './session-renewal.ts'

/**
 * `callApi` for a signed-in user: `callAsAdmin(outboxEndpoints.read, { id })`. When the server rejects the sign-in
 * session (401), renews the session and sends the request once more. With an `idempotencyKey`, the server carries out a
 * repeated request only once.
 */
export async function callAsAdmin<E extends Endpoint, Answer>(
  endpoint: E & Answering<Answer>,
  ...[request, idempotencyKey]: RequestArguments<E, [string?]>
): Promise<Result<Answer, ApiError>> {
  const attempt = () =>
    send(endpoint, request, {
      ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
      // When the user signs out, running read requests are aborted, because nobody needs their results. Write requests
      // continue until they are completed.
      ...(endpoint.method === 'GET' && { signal: untilSignOut() }),
    })
  let reply = await attempt()
  if (reply.status === 401 && (await sessionRefused())) reply = await attempt()
  return readReply(endpoint, reply)
}
