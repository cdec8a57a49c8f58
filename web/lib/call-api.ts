import { type AnswerOf, type Endpoint, fillPath, type RequestOf } from '#contracts/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { sessionRefused, untilLogOut } from './session-renewal.ts'

/** Longer than any endpoint takes: a connection that died in between is said to be one. */
const timeoutMs = 30_000

/** What came back. */
type Reply = {
  /** Whether the status is one of success. */
  readonly httpOk: boolean
  /** 0 when no answer came. */
  readonly status: number
  readonly statusText: string
  /** What the JSON says; undefined for what is none: a proxy's error page, say. */
  readonly body: unknown
}

/** Why an endpoint did not do what was asked. Its message is the server's words, empty if it had none. */
export class ApiRefusal extends Error {
  readonly reply: Reply
  /** One of `apiErrors`, as far as the server is ours. */
  readonly code: unknown

  constructor(reply: Reply) {
    const { code, message } = Object(reply.body) as { code?: unknown; message?: unknown }
    super(typeof message === 'string' ? message : '')
    this.reply = reply
    this.code = code
  }
}

/**
 * Calls one of the product's own endpoints: `callApi(createCheckoutEndpoint, { invoiceId })`. Never
 * throws and never shows anything: the features choose the words. An admin's session that was refused is renewed
 * and the call made once more. A call that would do its work twice names its wish by an `idempotencyKey`.
 */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[request, idempotencyKey]: RequestOf<E> extends undefined ? [] : [RequestOf<E>, string?]
): Promise<Result<AnswerOf<E>, ApiRefusal>> {
  const ask = () => send(endpoint, request as RequestOf<E>, idempotencyKey)
  let reply = await ask()
  if (endpoint.caller && reply.status === 401 && (await sessionRefused())) reply = await ask()
  const answer = endpoint.answer?.safeParse(reply.body)
  return reply.httpOk && answer?.success
    ? accepted(answer.data as AnswerOf<E>)
    : refused(new ApiRefusal(reply))
}

async function send<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  idempotencyKey: string | undefined,
): Promise<Reply> {
  const { method, caller } = endpoint
  const { path, query, body } = fillPath(endpoint, request)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(path + query, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      // What the admin reads is of no use once they have logged out; what they do is done all the same.
      signal: caller && !body ? AbortSignal.any([untilLogOut(), signal]) : signal,
      ...(body && { body }),
    })
    const { ok: httpOk, status, statusText } = response
    return { httpOk, status, statusText, body: parse(await response.text()) }
  } catch {
    return { httpOk: false, status: 0, statusText: '', body: undefined }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
