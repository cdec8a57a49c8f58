import type * as z from 'zod/mini'

/** Says whether a value is what it should be: a schema, or a few lines for pages that come without one. */
export type Reader<Value = unknown> = {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

/** One call of the product's own server: its one place for what browser and server promise each other. */
export type Endpoint = {
  readonly method: 'GET' | 'POST'
  /** `:name` stands for what the request's field of that name says. */
  readonly path: `/api/${string}`
  /** Who may call it; anyone unless it says 'admin'. */
  readonly caller?: 'admin'
  /** The query string of a GET or the JSON of a POST, with the `:names` of the path. */
  readonly request?: z.ZodMiniType
  /** The JSON that a status of 200 comes with; none where a document is sent. A refusal is an `ErrorBody`. */
  readonly response?: Reader
}

/** What an endpoint is sent, as the server reads it: with every default filled in. */
export type RequestOf<E extends Endpoint> = E extends { readonly request: z.ZodMiniType }
  ? z.output<E['request']>
  : undefined

/** What an endpoint answers. */
export type ResponseOf<E extends Endpoint> = E extends { readonly response: Reader<infer Answer> }
  ? Answer
  : undefined

/** A request as it travels: the `:names` in the path, the rest as query string of a GET or as JSON. */
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
