import * as z from 'zod/mini'

/** An optional field that is omitted when it is missing or does not match `schema`. */
export function optionalIfInvalid<Schema extends z.ZodMiniType>(schema: Schema) {
  // The lint rule takes `z.catch` for the `catch` of a promise.
  // oxlint-disable-next-line promise/valid-params
  return z.catch(z.optional(schema), undefined)
}
