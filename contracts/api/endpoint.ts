import type * as z from 'zod/mini'

/**
 * A validator of a value, for example of a response. A zod schema is such a validator; pages that do not load zod use
 * an object with its own `safeParse`.
 */
export type Reader<Value = unknown> = {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

/**
 * Who may send a request to a route:
 *
 * - 'public': everyone
 * - 'own page': everyone, but not from a page of another site
 * - 'staff': owners, advisors and technicians with a sign-in session, not from a page of another site
 * - 'admin': owners and advisors with a sign-in session, not from a page of another site
 * - 'owner': owners with a sign-in session, not from a page of another site
 * - 'link': everyone who has the link with the secret token
 * - 'access token': clients of the REST API, with the rights that the database grants to their role
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
   * Whether the endpoint requires step-up authentication: the team member must have confirmed the sign-in session with
   * the password or a passkey in the last five minutes (docs/product.md 6.8). Otherwise the server refuses the request
   * with STEP_UP_REQUIRED.
   */
  readonly stepUp?: true
  /**
   * Whether a team member at a shared tablet may send the request (docs/product.md 6.14). Meaningful only for endpoints
   * that need a sign-in session.
   */
  readonly atTablet?: true
  /**
   * Whether a team member who must first set up an authenticator app may send the request (docs/product.md 6.11).
   * Meaningful only for endpoints that need a sign-in session.
   */
  readonly beforeCodeApp?: true
  /**
   * The schema of the request's fields. The client sends them in the path, and in the query string of a GET or the JSON
   * body of a POST.
   */
  readonly request?: z.ZodMiniType
  /**
   * The schema of the JSON body of a response with status 200; undefined for an endpoint that sends a document. The
   * body of a refusal is an `ErrorBody`.
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
export const fillPath = <E extends Endpoint>(endpoint: E, request: RequestOf<E>) =>
  encodeRequest(endpoint, request)

/** Creates the URL and the body of a request like `fillPath`, but accepts a request of any type. */
export function encodeRequest({ method, path }: Endpoint, request: unknown) {
  const rest: Record<string, unknown> = { ...Object(request) }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value: unknown = rest[name] ?? ''
    rest[name] = undefined
    return encodeURIComponent(String(value))
  })
  if (method === 'POST') return { path: filled, query: '', body: JSON.stringify(rest) }
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { path: filled, query: query.length > 0 ? `?${query.join('&')}` : '', body: undefined }
}
