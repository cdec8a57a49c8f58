import { Refusal } from '../response/refusal.ts'
import type { Payload } from './ast.ts'

// The maximum nesting of arrays and objects in a body.
const maxDepth = 20

/**
 * Checks the body and finds the keys of its rows or arguments; the database parses the values. All rows of an array
 * must have the same keys, unless the request lists the keys in `columns`.
 */
export function parsePayload(
  text: string,
  contentType: string | undefined,
  columns?: readonly string[],
): Payload {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/json'
  if (type !== 'application/json' && type !== 'application/vnd.pgrst.array+json') {
    throw new Refusal(415, 'PGRST107', `Content-Type not acceptable: ${type}`)
  }
  const value = parseJson(text)
  if (isDeeper(value, maxDepth)) throw invalidBody(`More than ${maxDepth} levels of nesting`)
  if (!Array.isArray(value)) {
    if (!isObject(value)) throw invalidBody('All object keys must match')
    return { text, keys: Object.keys(value), list: false, rows: 1 }
  }
  return { text, keys: columns ?? sharedKeys(value), list: true, rows: value.length }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody('Empty or invalid json')
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

function sharedKeys(rows: readonly unknown[]): string[] {
  const [first] = rows
  if (first === undefined) return []
  const keys = isObject(first) ? Object.keys(first) : []
  const alike = rows.every((row) => isObject(row) && sameKeys(row, keys))
  if (!alike) throw invalidBody('All object keys must match')
  return keys
}

function sameKeys(row: object, keys: readonly string[]): boolean {
  return Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidBody(message: string): Refusal {
  return new Refusal(400, 'PGRST102', message)
}
