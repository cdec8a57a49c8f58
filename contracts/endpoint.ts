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
  readonly answer?: Reader
}

/** What an endpoint is sent, as the server reads it: with every default filled in. */
export type RequestOf<E extends Endpoint> = E extends { readonly request: z.ZodMiniType }
  ? z.output<E['request']>
  : undefined

/** What an endpoint answers. */
export type AnswerOf<E extends Endpoint> = E extends { readonly answer: Reader<infer Answer> }
  ? Answer
  : undefined

/**
 * Where a request goes: the path with its `:names` filled in, and what is left of the request for the query
 * string or the body.
 */
export function fillPath<E extends Endpoint>(
  { path }: E,
  request: RequestOf<E>,
): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...(request as object | undefined) }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { path: filled, rest }
}
