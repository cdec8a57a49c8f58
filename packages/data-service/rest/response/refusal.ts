/** The body of every error response, in PostgREST's format. */
export type ErrorBody = {
  readonly code: string
  readonly message: string
  readonly details: unknown
  readonly hint: string | null
}

/**
 * An error response, for a request that the service refuses. Throwing this error ends the parsing of the request at any
 * depth and rolls back the transaction. `register-rest.ts` catches the error.
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

/**
 * Returns the error 42501 (missing privilege) with PostgreSQL's message. A visitor gets status 401, which means that
 * signing in may help (RFC 9110, section 15.5.2).
 */
export function permissionDenied(message: string, anonymous: boolean): Refusal {
  return anonymous
    ? new Refusal(401, '42501', message, { headers: { 'www-authenticate': 'Bearer' } })
    : new Refusal(403, '42501', message)
}

/** Returns the error PGRST100: the URL cannot be parsed. `column` is the position in `input`, counted from 1. */
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

/** Returns the error PGRST100 for a request whose cost is above the maximum. */
export function costExceeded(cost: number, max: number): Refusal {
  return new Refusal(400, 'PGRST100', 'The request is too costly', {
    details: `It costs ${cost} units; the maximum is ${max}.`,
    hint: 'Request fewer columns, embedded resources, conditions and orders, or send several requests.',
  })
}

/**
 * Returns the error PT429, a code of PostgREST that contains the HTTP status. `seconds` is the time until the next
 * request is allowed.
 */
export function rateLimited(seconds: number): Refusal {
  const message = 'Too many attempts. Please try again later.'
  return new Refusal(429, 'PT429', message, { headers: { 'retry-after': String(seconds) } })
}

/**
 * Returns the error PGRST127: the request needs a part of PostgREST's API that this service does not implement.
 * Ignoring that part would return wrong rows. `features` begins the sentence '… are not supported.'
 */
export function unsupported(features: string): Refusal {
  return new Refusal(400, 'PGRST127', 'Feature not implemented', {
    details: `${features} are not supported.`,
  })
}

/**
 * Returns the error 42703 (unknown column) with PostgreSQL's message. The service refuses an unknown column before it
 * sends a statement, because statements contain only names from the catalog.
 */
export function unknownColumn(relation: string, column: string): Refusal {
  return new Refusal(400, '42703', `column ${relation}.${column} does not exist`)
}
