import { type AnswerOf, type Endpoint, fillPath, type RequestOf } from '#contracts/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { sessionRefused, untilLogOut } from './session-renewal.ts'

/** Longer than any endpoint takes: a connection that died in between is said to be one. */
const timeoutMs = 30_000

/** What came back that is not the answer. */
export type Refused = {
  /** refused: JSON; unreadable: no JSON, a proxy's error page, say; unreachable: no answer came. */
  readonly kind: 'refused' | 'unreadable' | 'unreachable'
  /** Whether the status is one of success. */
  readonly httpOk: boolean
  /** 0 when no answer came. */
  readonly status: number
  readonly statusText: string
  readonly body: unknown
}

/** Why an endpoint did not do what was asked. Its message is the server's words, empty if it had none. */
export class ApiRefusal extends Error {
  readonly reply: Refused
  /** One of `apiErrors`, as far as the server is ours. */
  readonly code: unknown

  constructor(reply: Refused) {
    const { code, message } = Object(reply.body) as { code?: unknown; message?: unknown }
    super(typeof message === 'string' ? message : '')
    this.name = 'ApiRefusal'
    this.reply = reply
    this.code = code
  }
}

type Options = {
  /** The name of the wish, for an endpoint that would do its work twice. */
  readonly idempotencyKey?: string
}

/**
 * Calls one of the product's own endpoints: `callApi(paymentEndpoints.createCheckout, { invoiceId })`. Never
 * throws and never shows anything: the features choose the words. A session of the admin's that was refused is
 * renewed and the call made once more.
 */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[request, options = {}]: RequestOf<E> extends undefined ? [] : [RequestOf<E>, Options?]
): Promise<Result<AnswerOf<E>, ApiRefusal>> {
  const ask = () => send(endpoint, request as RequestOf<E>, options)
  let reply = await ask()
  if (endpoint.caller === 'admin' && reply.status === 401 && (await sessionRefused())) {
    reply = await ask()
  }
  const answer = endpoint.answer?.safeParse(reply.body)
  return reply.httpOk && answer?.success
    ? accepted(answer.data as AnswerOf<E>)
    : refused(new ApiRefusal(reply))
}

async function send<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { idempotencyKey }: Options,
): Promise<Refused> {
  const { path, rest } = fillPath(endpoint, request)
  const isGet = endpoint.method === 'GET'
  const headers = {
    accept: 'application/json',
    ...(!isGet && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  try {
    const response = await fetch(isGet ? `${path}${queryOf(rest)}` : path, {
      method: endpoint.method,
      headers,
      signal: signalFor(endpoint),
      ...(!isGet && { body: JSON.stringify(rest) }),
    })
    const { ok: httpOk, status, statusText } = response
    const body = parse(await response.text())
    const kind = body === undefined ? 'unreadable' : 'refused'
    return { kind, httpOk, status, statusText, body }
  } catch {
    return { kind: 'unreachable', httpOk: false, status: 0, statusText: '', body: undefined }
  }
}

function queryOf(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][]).toString()}`
}

/** What the admin reads is of no use once they have logged out; what they do is done all the same. */
function signalFor({ caller, method }: Endpoint): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return caller === 'admin' && method === 'GET'
    ? AbortSignal.any([untilLogOut(), timeout])
    : timeout
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
