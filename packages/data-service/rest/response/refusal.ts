import { errorBody } from '#contracts/api/errors.ts'

/** The four fields of every error body of this protocol. */
export type ErrorBody = {
  readonly code: string
  readonly message: string
  readonly details: unknown
  readonly hint: string | null
}

/**
 * A request that cannot be served, with the answer it gets. Thrown rather than returned: it ends a
 * recursive descent through parser and resolver, and is caught in one place (register-rest.ts); on its
 * way it rolls back the transaction when it must undo what a statement did.
 */
export class Refusal extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      details?: unknown
      hint?: string | null
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.body = { code, message, details: more.details ?? null, hint: more.hint ?? null }
    this.headers = more.headers ?? {}
  }
}

/** 42501 in PostgreSQL's words; a visitor is told that signing in may help (RFC 9110, section 15.5.2). */
export function permissionDenied(message: string, anonymous: boolean): Refusal {
  return anonymous
    ? new Refusal(401, '42501', message, { headers: { 'www-authenticate': 'Bearer' } })
    : new Refusal(403, '42501', message)
}

/** PGRST100: the URL does not parse. `column` counts from 1 in `input`. */
export function unparsable(what: string, input: string, column: number, expected: string): Refusal {
  return new Refusal(
    400,
    'PGRST100',
    `"failed to parse ${what} (${input})" (line 1, column ${column})`,
    {
      details: expected,
    },
  )
}

/** PGRST100 as well: the request parses, but asks for more than one request may. */
export function costExceeded(cost: number, max: number): Refusal {
  return new Refusal(400, 'PGRST100', 'The request asks for too much at once', {
    details: `It costs ${cost} units; at most ${max} are served.`,
    hint: 'Ask for fewer columns, embedded resources, conditions and orders, or in several requests.',
  })
}

/** PT429: how PostgREST spells an error with a status of its own choosing. `seconds` is the wait. */
export function rateLimited(seconds: number): Refusal {
  const { message } = errorBody('RATE_LIMITED')
  return new Refusal(429, 'PT429', message, { headers: { 'retry-after': String(seconds) } })
}

/** PGRST127: part of the dialect that this service leaves out; it says so rather than ignoring it. */
export function unsupported(what: string): Refusal {
  return new Refusal(400, 'PGRST127', 'Feature not implemented', { details: what })
}

/** 42703 in PostgreSQL's words: the statement is never sent, since its names come from the catalog. */
export function unknownColumn(relation: string, column: string): Refusal {
  return new Refusal(400, '42703', `column ${relation}.${column} does not exist`)
}
