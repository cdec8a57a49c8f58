import { Refusal } from '../response/refusal.ts'

/** The format of the rows in a response body. */
export type Shape = {
  readonly form: 'list' | 'object' | 'csv'
  /** Whether the rows in the response omit fields with the value null. */
  readonly stripped: boolean
}

const array = 'application/vnd.pgrst.array'
const object = 'application/vnd.pgrst.object'
const anyJson = new Set(['*/*', 'application/*', 'application/json', array])

/** Parses the header `Accept` and returns the supported format that the client prefers. */
export function parseAccept(header: string | undefined): Shape {
  if (!header) return { form: 'list', stripped: false }
  const ranges = header
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  // The sort is stable, so media types of the same quality keep the order of the header.
  for (const range of ranges.toSorted((left, right) => qualityOf(right) - qualityOf(left))) {
    const shape = shapeOf(range)
    if (shape) return shape
  }
  throw new Refusal(415, 'PGRST107', `None of these media types are available: ${header}`)
}

function qualityOf(range: readonly string[]): number {
  const quality = range.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return quality === undefined ? 1 : Number(quality) || 0
}

function shapeOf([written = '', ...parameters]: readonly string[]): Shape | undefined {
  const type = written.replace(/^(application\/vnd\.pgrst\.\w+)\+json$/, '$1')
  const stripped = parameters.includes('nulls=stripped')
  if (type === object) return { form: 'object', stripped }
  if (type === 'text/csv') return { form: 'csv', stripped: false }
  if (anyJson.has(type)) return { form: 'list', stripped: stripped && type === array }
  return undefined
}

export function contentTypeOf({ form, stripped }: Shape): string {
  const plain = form === 'csv' ? 'text/csv' : 'application/json'
  const json = form === 'object' ? `${object}+json` : stripped ? `${array}+json` : plain
  return `${json}${stripped ? ';nulls=stripped' : ''}; charset=utf-8`
}
