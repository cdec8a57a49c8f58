import { type Endpoint, fillPath, type RequestOf } from '#contracts/endpoint.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { ApiRefusal } from './call-api.ts'
import { sessionRefused } from './session-renewal.ts'

/** A document of an endpoint, for who is signed in; a session that was refused is renewed once. */
export async function fetchAsAdmin<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<Result<Blob, ApiRefusal>> {
  const { path, query, body } = fillPath(endpoint, request)
  const ask = () =>
    fetch(path + query, {
      method: endpoint.method,
      ...(body && { body, headers: { 'content-type': 'application/json' } }),
    })
  try {
    let response = await ask()
    if (response.status === 401 && (await sessionRefused())) response = await ask()
    if (response.ok) return accepted(await response.blob())
    const { ok: httpOk, status, statusText } = response
    const said: unknown = await response.json().catch(() => undefined)
    return refused(new ApiRefusal({ httpOk, status, statusText, body: said }))
  } catch {
    return refused(new ApiRefusal({ httpOk: false, status: 0, statusText: '', body: undefined }))
  }
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
