import { Refusal } from './refusal.ts'

/**
 * Converts an error that a function raised with `raise sqlstate 'PGRST'` to a response: the error's message is the body
 * as JSON, the error's detail is the status and the headers as JSON.
 */
export function raisedRefusal(message: string, detail: string | undefined): Refusal {
  const error = objectOf(message)
  const response = objectOf(detail ?? '')
  const { code, message: text, details, hint } = error ?? {}
  const { status, headers } = response ?? {}
  if (typeof code !== 'string' || typeof text !== 'string') return malformed('MESSAGE', message)
  if (typeof status !== 'number' || !isRecord(headers)) return malformed('DETAIL', detail)
  return new Refusal(status, code, text, {
    details: details ?? null,
    hint: typeof hint === 'string' ? hint : null,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
  })
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(part: 'MESSAGE' | 'DETAIL', text: string | undefined): Refusal {
  const message = `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`
  const details =
    text === undefined
      ? `DETAIL is missing in the RAISE statement`
      : `Invalid JSON value for ${part}: '${text}'`
  return new Refusal(500, 'PGRST121', message, { details })
}
