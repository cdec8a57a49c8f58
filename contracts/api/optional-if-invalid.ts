import * as z from 'zod/mini'

/** A schema for an optional field: a value that is missing or does not match `schema` becomes undefined. */
export function optionalIfInvalid<Schema extends z.ZodMiniType>(schema: Schema) {
  // The lint rule mistakes `z.catch` for the `catch` of a promise.
  // oxlint-disable-next-line promise/valid-params
  return z.catch(z.optional(schema), undefined)
}
