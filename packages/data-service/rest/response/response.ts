import { outOfRange } from '../parse/range.ts'
import { contentTypeOf, type Shape } from '../parse/accept.ts'
import type { Preferences } from '../parse/ast.ts'
import { Refusal } from './refusal.ts'

/** An HTTP answer, complete. */
export type RestResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | undefined
}

/** The rows that a request read or wrote, as the statement's one row tells them. */
export type Outcome = {
  readonly total: number | undefined
  readonly page: number
  readonly body: string | undefined
  readonly extra: string | undefined
  /** What a function or trigger set of the answer: settings `response.status`, `response.headers`. */
  readonly status?: string | undefined
  readonly headers?: string | undefined
}

/** A page of rows: 206 when there are more, 416 when it begins behind the last one. */
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

/** `0-9/25`: which rows, of how many; stars for what is not known or not there. */
export function contentRange(offset: number, page: number, total: number | undefined): string {
  const rows = page > 0 ? `${offset}-${offset + page - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}

/** The one row of a list of one; PGRST116 when there is another number of rows. */
export function onlyRow({ page, body }: Outcome): string | undefined {
  if (page !== 1) {
    throw new Refusal(406, 'PGRST116', 'JSON object requested, multiple (or no) rows returned', {
      details: `The result contains ${page} rows`,
    })
  }
  return body?.slice(1, -1)
}

/** Says which preferences were honoured (RFC 7240, section 3). */
export function appliedPreferences(
  preferences: Preferences,
  names: readonly ('resolution' | 'missing' | 'return' | 'count')[],
): Record<string, string> {
  const honoured = [...names, 'handling' as const, 'timezone' as const]
    .filter((name) => preferences[name] !== undefined)
    .map((name) => `${name}=${preferences[name]}`)
  return honoured.length > 0 ? { 'preference-applied': honoured.join(', ') } : {}
}

/** CSV begins with the names of its columns, where there are rows. */
export function withHeader(outcome: Outcome, names: readonly string[]): Outcome {
  const header = outcome.page > 0 ? names.join(',') : ''
  return { ...outcome, body: `${header}\n${outcome.body ?? ''}` }
}
