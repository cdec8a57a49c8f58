import { type Endpoint, fillPath, type RequestOf } from '#contracts/api/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { ApiError } from './call-api.ts'
import { sessionRefused } from './session-renewal.ts'

type Watch = {
  /** Ends it; what is there by then is thrown away. */
  readonly signal?: AbortSignal
  /** How much has come so far. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * A document of an endpoint, for who is signed in; a session that was refused is renewed once. One that breaks off is a
 * refusal of status 0.
 */
export async function fetchAsAdmin<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { signal, onBytes }: Watch = {},
): Promise<Result<Blob, ApiError>> {
  const { path, query, body } = fillPath(endpoint, request)
  const attempt = () =>
    fetch(path + query, {
      method: endpoint.method,
      ...(signal && { signal }),
      ...(body && { body, headers: { 'content-type': 'application/json' } }),
    })
  try {
    let response = await attempt()
    if (response.status === 401 && (await sessionRefused())) response = await attempt()
    if (response.ok) return accepted(await readBlob(response, onBytes))
    const { ok: httpOk, status, statusText } = response
    const errorBody: unknown = await response.json().catch(() => undefined)
    return refused(new ApiError({ httpOk, status, statusText, body: errorBody }))
  } catch {
    return refused(new ApiError({ httpOk: false, status: 0, statusText: '', body: undefined }))
  }
}

async function readBlob(response: Response, onBytes: Watch['onBytes']): Promise<Blob> {
  if (!onBytes || !response.body) return response.blob()
  let bytes = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, counted) {
      onBytes((bytes += part.byteLength))
      counted.enqueue(part)
    },
  })
  return new Response(response.body.pipeThrough(count), { headers: response.headers }).blob()
}

/** Hands a file to the browser, which asks where to put it, or puts it where it always does. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Once the download has begun; at once would end it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
