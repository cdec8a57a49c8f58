import type { Endpoint, RequestOf } from '#contracts/api/endpoint.ts'
import { type ApiResult, readReply, send } from './call-api.ts'
import { sessionRefused, untilSignOut } from './session-renewal.ts'

/**
 * `callApi` for who is signed in: `callAsAdmin(outboxEndpoints.read, { id })`. A session that was refused is renewed
 * and the call made once more. A call that would do its work twice names its wish by an `idempotencyKey`.
 */
export async function callAsAdmin<E extends Endpoint>(
  endpoint: E,
  ...[request, idempotencyKey]: RequestOf<E> extends undefined ? [] : [RequestOf<E>, string?]
): Promise<ApiResult<E>> {
  const attempt = () =>
    send(endpoint, request as RequestOf<E>, {
      ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
      // What the admin reads is of no use once they have logged out; what they do is done all the same.
      ...(endpoint.method === 'GET' && { signal: untilSignOut() }),
    })
  let reply = await attempt()
  if (reply.status === 401 && (await sessionRefused())) reply = await attempt()
  return readReply(endpoint, reply)
}
