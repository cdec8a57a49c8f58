import type * as z from 'zod/mini'

/** Validates a value: a zod schema, or a small function for pages that load without zod. */
export type Reader<Value = unknown> = {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

/**
 * One endpoint of `/api`: the only definition of its method, path, request and response, used by browser and server.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST'
  /** `:name` is replaced by the request's field of that name. */
  readonly path: `/api/${string}`
  /** Who may call the endpoint: staff when 'admin', else everyone. */
  readonly caller?: 'admin'
  /** The fields of the path, and of the query string of a GET or the JSON body of a POST. */
  readonly request?: z.ZodMiniType
  /** The JSON body of a response with status 200; undefined where a document is sent. A refusal is an `ErrorBody`. */
  readonly response?: Reader
}

/** The request after validation on the server, with defaults filled in. */
export type RequestOf<E extends Endpoint> = E extends { readonly request: z.ZodMiniType }
  ? z.output<E['request']>
  : undefined

/** The response body of an endpoint. */
export type ResponseOf<E extends Endpoint> = E extends { readonly response: Reader<infer Answer> }
  ? Answer
  : undefined

/**
 * The URL and the body of a request: `:names` are filled into the path, other fields form the query string of a GET or
 * the JSON body.
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
