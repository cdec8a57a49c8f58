import { functionBodyBytes } from '../../../contracts/api/server-functions.ts'

/** Returns the JSON body of a request; undefined when the body is malformed or longer than the limit. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readBounded(request, functionBodyBytes)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readBounded(request: Request, maxBytes: number): Promise<string | undefined> {
  if (!request.body) return undefined
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
