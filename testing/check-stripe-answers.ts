import { type TypedValue, findTypeErrors } from './find-misfits.ts'

const types = `import('#testing/stripe-answers.ts')`

/**
 * What is wrong with answers of the API, a sentence each; nothing when they fit the SDK's typings: every
 * required field is there with its type, no field is there that they do not know, and enums have only the
 * values they list.
 */
export function problemsOf(answers: readonly unknown[]): Promise<string[]> {
  return findTypeErrors(answers.flatMap(claimsOf))
}

/** A page and each of its items claim their own types. */
function claimsOf(answer: unknown): TypedValue[] {
  const { object, data, deleted, type } = Object(answer) as Record<string, unknown>
  if ((object === 'list' || object === 'search_result') && Array.isArray(data)) {
    const page = { ...Object(answer), data: [] } as unknown
    return [{ value: page, type: typeNamed(object) }, ...data.flatMap(claimsOf)]
  }
  if (object === 'event')
    return [{ value: answer, type: `${types}.AnsweredEvent<${JSON.stringify(type)}>` }]
  return [
    { value: answer, type: typeNamed(deleted === true ? `deleted_${String(object)}` : object) },
  ]
}

function typeNamed(object: unknown): string {
  return `${types}.Answers[${JSON.stringify(String(object))}]`
}
