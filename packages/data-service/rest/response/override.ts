import type { RestResponse, Outcome } from './response.ts'
import { Refusal } from './refusal.ts'

/** Applies the status and the headers that a function or trigger set for the response. */
export function withOverride(response: RestResponse, { status, headers }: Outcome): RestResponse {
  if (status === undefined && headers === undefined) return response
  return {
    ...response,
    status: status === undefined ? response.status : statusOf(status),
    headers:
      headers === undefined ? response.headers : { ...response.headers, ...headersOf(headers) },
  }
}

function statusOf(text: string): number {
  if (/^[1-5]\d\d$/.test(text)) return Number(text)
  throw new Refusal(500, 'PGRST112', 'response.status guc must be a valid status code')
}

/**
 * Parses headers such as `[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]`. Each object has one name, and names may
 * repeat.
 */
function headersOf(text: string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const entry of entriesOf(text)) {
    const [[name, value] = [], ...more] = Object.entries(entry ?? {})
    if (name === undefined || typeof value !== 'string' || more.length > 0) throw malformed()
    const key = name.toLowerCase()
    found[key] = [...(found[key] ?? []), value]
  }
  return found
}

function entriesOf(text: string): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(text)
    if (Array.isArray(entries)) return entries
  } catch {
    // Invalid JSON causes the same error as JSON that is not an array of headers.
  }
  throw malformed()
}

function malformed(): Refusal {
  return new Refusal(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  )
}
