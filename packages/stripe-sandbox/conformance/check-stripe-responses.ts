import { type TypedValue, findTypeErrors } from './check-value-types.ts'

const types = `import('#packages/stripe-sandbox/conformance/stripe-responses.ts')`

/**
 * What is wrong with answers of the API, a sentence each; nothing when they fit the SDK's typings: every
 * required field is there with its type, no field is there that they do not know, and enums have only the
 * values they list.
 */
export function problemsOf(responses: readonly unknown[]): Promise<string[]> {
  return findTypeErrors(responses.flatMap(claimsOf))
}

/** A page and each of its items claim their own types. */
function claimsOf(response: unknown): TypedValue[] {
  const { object, data, deleted, type } = Object(response) as Record<string, unknown>
  if ((object === 'list' || object === 'search_result') && Array.isArray(data)) {
    const page = { ...Object(response), data: [] } as unknown
    return [{ value: page, type: typeNamed(object) }, ...data.flatMap(claimsOf)]
  }
  if (object === 'event')
    return [{ value: response, type: `${types}.WireEvent<${JSON.stringify(type)}>` }]
  return [
    { value: response, type: typeNamed(deleted === true ? `deleted_${String(object)}` : object) },
  ]
}

function typeNamed(object: unknown): string {
  return `${types}.StripeResponses[${JSON.stringify(String(object))}]`
}
