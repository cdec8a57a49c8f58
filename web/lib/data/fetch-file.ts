import { type Endpoint, fillPath, type RequestOf } from '#contracts/api/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { ApiError } from './call-api.ts'
import { sessionRefused } from './session-renewal.ts'

type Watch = {
  /** Aborts the download and discards the bytes received so far. */
  readonly signal?: AbortSignal
  /** Reports the number of bytes received so far. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Downloads a file from an endpoint for a signed-in user. When the server rejects the sign-in session (401), renews the
 * session and sends the request once more. Returns a refusal with the status 0 if the download is interrupted.
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

/** Makes the browser download a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revokes the URL after a delay, because some browsers cancel the download when the URL is revoked immediately.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
