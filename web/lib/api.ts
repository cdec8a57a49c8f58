/** Longer than any endpoint takes: a connection that died in between is said to be one. */
export const apiTimeoutMs = 30_000

/** What came back from one of the product's own endpoints. Never throws and never shows anything: the features choose the words. */
export type ApiReply =
  /** A JSON body, whatever the status; `body` is to be parsed with the endpoint's schema. */
  | { kind: 'json'; httpOk: boolean; status: number; statusText: string; body: unknown }
  /** An answer that is no JSON, or broken JSON: a proxy's error page, say. */
  | { kind: 'not-json'; httpOk: boolean; status: number; statusText: string }
  /** No answer: offline, refused, aborted, or none for half a minute. */
  | { kind: 'unreachable' }

/** `getJson('/api/payment/verify?invoiceId=…')` */
export function getJson(path: string, signal?: AbortSignal): Promise<ApiReply> {
  return call(path, {}, { ...(signal && { signal }) })
}

/**
 * `postJson('/api/invoice/lookup', { invoiceNumber })`; without a body for endpoints that take none. An
 * endpoint that would do its work twice takes the name of the wish as `idempotencyKey`.
 */
export function postJson(
  path: string,
  body: unknown = {},
  idempotencyKey?: string,
): Promise<ApiReply> {
  const headers = {
    'content-type': 'application/json',
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  return call(path, headers, { method: 'POST', body: JSON.stringify(body) })
}

async function call(
  path: string,
  headers: Record<string, string>,
  init: RequestInit,
): Promise<ApiReply> {
  try {
    const response = await fetch(path, {
      signal: AbortSignal.timeout(apiTimeoutMs),
      ...init,
      headers: { accept: 'application/json', ...headers },
    })
    const { ok: httpOk, status, statusText } = response
    const body = parse(await response.text())
    return body === undefined
      ? { kind: 'not-json', httpOk, status, statusText }
      : { kind: 'json', httpOk, status, statusText, body }
  } catch {
    return { kind: 'unreachable' }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
