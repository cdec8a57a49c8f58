import {
  type ResponseOf,
  type Endpoint,
  encodeRequest,
  type Reader,
  type RequestOf,
} from '#contracts/api/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/**
 * The timeout of a request in milliseconds, longer than any endpoint needs. A request that is still running after this
 * time counts as a request without a response.
 */
const timeoutMs = 30_000

/** An HTTP response as data. */
type Reply = {
  /** Whether the HTTP status is 2xx. */
  readonly httpOk: boolean
  /** The HTTP status; 0 when the request got no response. */
  readonly status: number
  readonly statusText: string
  /** The parsed JSON of the response; undefined when the body is not JSON, such as the error page of a proxy. */
  readonly body: unknown
}

/**
 * The reason why an endpoint refused a request. `message` is the text in the server's response, or empty if the
 * response has none.
 */
export class ApiError extends Error {
  readonly reply: Reply
  /** One of the codes in `apiErrors`, unless the response comes from a proxy. */
  readonly code: unknown

  constructor(reply: Reply) {
    const { code, message }: { code?: unknown; message?: unknown } = Object(reply.body)
    super(typeof message === 'string' ? message : '')
    this.reply = reply
    this.code = code
  }
}

export type ApiResult<E extends Endpoint> = Result<ResponseOf<E>, ApiError>

/**
 * Calls one of the product's own endpoints: `callApi(createCheckoutEndpoint, { invoiceId })`. Never throws, and shows
 * no messages: each feature chooses its own texts. The dashboard uses `call-as-admin.ts` instead.
 */
export async function callApi<E extends Endpoint, Answer>(
  endpoint: E & Answering<Answer>,
  ...[request]: RequestArguments<E>
): Promise<Result<Answer, ApiError>> {
  return readReply(endpoint, await send(endpoint, request))
}

/** An endpoint whose successful response has the type `Answer`. */
export type Answering<Answer> = { readonly response?: Reader<Answer> }

/** The request data of an endpoint as the arguments of a function: no argument for an endpoint without request data. */
export type RequestArguments<E extends Endpoint, Rest extends unknown[] = []> =
  RequestOf<E> extends undefined ? [] : [RequestOf<E>, ...Rest]

export function readReply<Answer>(
  { response }: Answering<Answer>,
  reply: Reply,
): Result<Answer, ApiError> {
  const parsed = response?.safeParse(reply.body)
  return reply.httpOk && parsed?.success ? accepted(parsed.data) : refused(new ApiError(reply))
}

/** Sends one request. Returns a reply of status 0 if no response arrives. */
export async function send(
  endpoint: Endpoint,
  request: unknown,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Reply> {
  const { path, query, body } = encodeRequest(endpoint, request)
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
