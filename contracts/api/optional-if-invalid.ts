import * as z from 'zod/mini'

/** A field that is good to have: left out when it is missing, or is not what `schema` says. */
export function optionalIfInvalid<Schema extends z.ZodMiniType>(schema: Schema) {
  // Not a promise's.
  // oxlint-disable-next-line promise/valid-params
  return z.catch(z.optional(schema), undefined)
}
