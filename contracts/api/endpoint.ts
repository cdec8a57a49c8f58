import type * as z from 'zod/mini'

/** Validates a value: a zod schema, or a small function on pages that do not load zod. */
export type Reader<Value = unknown> = {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

/**
 * Who may send a request to a route:
 *
 * - 'public': everyone
 * - 'own page': everyone, but from no page of another site
 * - 'staff': owners, advisors and technicians with a session, from no page of another site
 * - 'admin': owners and advisors with a session, from no page of another site
 * - 'owner': owners with a session, from no page of another site
 * - 'link': whoever has a link with a secret token
 * - 'access token': the callers of the data service, with the rights that the database grants them
 * - 'signature': Stripe, which signs each event
 */
export type Rights =
  | 'public'
  | 'own page'
  | 'staff'
  | 'admin'
  | 'owner'
  | 'link'
  | 'access token'
  | 'signature'

/**
 * The definition of one endpoint of `/api`: method, path, request and response. Browser and server use the same
 * definition.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST'
  /** The path of the endpoint; `:name` stands for the field `name` of the request. */
  readonly path: `/api/${string}`
  readonly rights: Rights
  /**
   * Whether the session must have confirmed its password in the last five minutes (docs/product.md 6.8); otherwise the
   * request is refused with STEP_UP_REQUIRED.
   */
  readonly stepUp?: true
  /** Whether a person at a shared tablet may send the request, if it needs a session (docs/product.md 6.14). */
  readonly atTablet?: true
  /** Whether a person who has yet to set up a code app may send the request, if it needs a session (docs/product.md 6.11). */
  readonly beforeCodeApp?: true
  /** The fields of the request: those of the path, and the query string of a GET or the JSON body of a POST. */
  readonly request?: z.ZodMiniType
  /**
   * The JSON body of a response with status 200; undefined for an endpoint that sends a document. The body of a
   * refusal is an `ErrorBody`.
   */
  readonly response?: Reader
}

/** The request after validation on the server, with defaults filled in. */
export type RequestOf<E extends Endpoint> = E extends { readonly request: z.ZodMiniType }
  ? z.output<E['request']>
  : undefined

/** The type of an endpoint's response body. */
export type ResponseOf<E extends Endpoint> = E extends { readonly response: Reader<infer Answer> }
  ? Answer
  : undefined

/**
 * Creates the URL and the body of a request: fields named in the path replace `:name`, all other fields form the
 * query string of a GET or the JSON body of a POST.
 */
export function fillPath<E extends Endpoint>({ method, path }: E, request: RequestOf<E>) {
  const rest = { ...(request as Record<string, string | undefined> | undefined) }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name] ?? ''
    rest[name] = undefined
    return encodeURIComponent(value)
  })
  if (method === 'POST') return { path: filled, query: '', body: JSON.stringify(rest) }
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
  return { path: filled, query: query.length > 0 ? `?${query.join('&')}` : '', body: undefined }
}
