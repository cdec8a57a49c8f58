import { type TypedValue, findTypeErrors, typesOf } from './check-value-types.ts'

const types = typesOf('stripe-responses.ts')

/**
 * Compares responses of the API with the types of the SDK: every required field exists with its type, no other field
 * exists, and enums have only listed values. Returns one sentence for each difference.
 */
export function problemsOf(responses: readonly unknown[]): Promise<string[]> {
  return findTypeErrors(responses.flatMap(typedValuesOf))
}

/**
 * Returns the parts of a response, each with its SDK type. The parts of a list are the list without items, and each
 * item; any other response has only one part.
 */
function typedValuesOf(response: unknown): TypedValue[] {
  const { object, data, deleted, type } = Object(response) as Record<string, unknown>
  if ((object === 'list' || object === 'search_result') && Array.isArray(data)) {
    const page = { ...Object(response), data: [] } as unknown
    return [{ value: page, type: typeNamed(object) }, ...data.flatMap(typedValuesOf)]
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
