import { outOfRange } from '../parse/range.ts'
import { contentTypeOf, type Shape } from '../parse/accept.ts'
import type { Preferences } from '../parse/ast.ts'
import { Refusal } from './refusal.ts'

/** A complete HTTP response. */
export type RestResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | undefined
}

/** The result of a statement, which is a single row; `resultColumns` in `sql/response.ts` describes its columns. */
export type Outcome = {
  readonly total: number | undefined
  readonly page: number
  readonly body: string | undefined
  readonly extra: string | undefined
  /**
   * The values of the settings `response.status` and `response.headers`, with which a function or trigger changes the
   * response.
   */
  readonly status?: string | undefined
  readonly headers?: string | undefined
}

/**
 * Creates the response with a page of rows. If the total number of rows is known, the status is 206 when the page does
 * not contain all rows, and 416 when the offset exceeds the total.
 */
export function pageResponse(
  outcome: Outcome,
  offset: number,
  shape: Shape,
  preferences: Preferences,
): RestResponse {
  const { total, page } = outcome
  const range = contentRange(offset, page, total)
  if (total !== undefined && offset > total) {
    throw outOfRange(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      'content-range': range,
      ...appliedPreferences(preferences, ['count']),
    })
  }
  return {
    status: total !== undefined && page < total ? 206 : 200,
    headers: {
      'content-range': range,
      'content-type': contentTypeOf(shape),
      ...appliedPreferences(preferences, ['count']),
    },
    body: shape.form === 'object' ? onlyRow(outcome) : outcome.body,
  }
}

/**
 * Formats the header `Content-Range`: `0-9/25` are rows 0 to 9 of 25. A star replaces the range of an empty page, or an
 * unknown total.
 */
export function contentRange(offset: number, page: number, total: number | undefined): string {
  const rows = page > 0 ? `${offset}-${offset + page - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}

/** Returns the only row of a list; throws PGRST116 when the list has another number of rows. */
export function onlyRow({ page, body }: Outcome): string | undefined {
  if (page !== 1) {
    throw new Refusal(406, 'PGRST116', 'JSON object requested, multiple (or no) rows returned', {
      details: `The result contains ${page} rows`,
    })
  }
  return body?.slice(1, -1)
}

/**
 * Lists the preferences of the request (header `Prefer`) that the server applied, for the header `Preference-Applied`
 * (RFC 7240, section 3).
 */
export function appliedPreferences(
  preferences: Preferences,
  names: readonly ('resolution' | 'missing' | 'return' | 'count')[],
): Record<string, string> {
  const honored = [...names, 'handling' as const, 'timezone' as const]
    .filter((name) => preferences[name] !== undefined)
    .map((name) => `${name}=${preferences[name]}`)
  return honored.length > 0 ? { 'preference-applied': honored.join(', ') } : {}
}

/** Puts a header line with the column names before the lines of CSV; without rows, the header line is empty. */
export function withHeader(outcome: Outcome, names: readonly string[]): Outcome {
  const header = outcome.page > 0 ? names.join(',') : ''
  return { ...outcome, body: `${header}\n${outcome.body ?? ''}` }
}
