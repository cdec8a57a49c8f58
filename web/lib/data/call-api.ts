import {
  type ResponseOf,
  type Endpoint,
  fillPath,
  type RequestOf,
} from '#contracts/api/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

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
export class ApiError extends Error {
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

export type ApiResult<E extends Endpoint> = Result<ResponseOf<E>, ApiError>

/**
 * Calls one of the product's own endpoints: `callApi(createCheckoutEndpoint, { invoiceId })`. Never throws and
 * never shows anything: the features choose the words. The dashboard calls by `call-as-admin.ts`.
 */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[request]: RequestOf<E> extends undefined ? [] : [RequestOf<E>]
): Promise<ApiResult<E>> {
  return readReply(endpoint, await send(endpoint, request as RequestOf<E>))
}

export function readReply<E extends Endpoint>(endpoint: E, reply: Reply): ApiResult<E> {
  const parsed = endpoint.response?.safeParse(reply.body)
  return reply.httpOk && parsed?.success
    ? accepted(parsed.data as ResponseOf<E>)
    : refused(new ApiError(reply))
}

/** One request. Without an answer it is a reply of status 0. */
export async function send<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Reply> {
  const { path, query, body } = fillPath(endpoint, request)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(path + query, {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
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
