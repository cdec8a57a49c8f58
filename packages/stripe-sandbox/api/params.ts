import { invalidRequest } from './api-error.ts'
import type { Form, FormObject } from './form.ts'

/**
 * Parses one parameter. Returns undefined when the request does not contain the parameter; throws an ApiError for an
 * invalid value.
 */
export type Reader<T> = (value: Form | undefined, name: string) => T

type Shape = Record<string, Reader<unknown>>
export type ParamsOf<S extends Shape> = { [Key in keyof S]: ReturnType<S[Key]> }

/** Parses a parameter that is an object. Throws an ApiError for a name that `shape` does not contain. */
export function object<S extends Shape>(shape: S): Reader<ParamsOf<S> | undefined> {
  const read = fields(shape)
  return (value, name) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw invalidRequest('Invalid object', undefined, name)
    return read(value, name)
  }
}

/** Parses the parameters of a request; `names` lists the parameters that the route accepts. */
export type FormReader<Params> = ((form: FormObject, within?: string) => Params) & {
  readonly names: readonly string[]
}

/** Parses the parameters at the top level of a request, as the function `object` does for a nested object. */
export function fields<S extends Shape>(shape: S): FormReader<ParamsOf<S>> {
  const read = (form: FormObject, within = '') => {
    const nameOf = (key: string) => (within === '' ? key : `${within}[${key}]`)
    for (const key of Object.keys(form)) {
      if (Object.hasOwn(shape, key)) continue
      const name = nameOf(key).slice(0, 100)
      throw invalidRequest(`Received unknown parameter: ${name}`, 'parameter_unknown', name)
    }
    const entries = Object.entries(shape).map(([key, read]) => [key, read(form[key], nameOf(key))])
    return Object.fromEntries(entries) as ParamsOf<S>
  }
  return Object.assign(read, { names: Object.keys(shape) })
}

export function required<T>(reader: Reader<T>): Reader<NonNullable<T>> {
  return (value, name) => {
    const read = value === undefined ? undefined : reader(value, name)
    if (read !== undefined && read !== null) return read
    throw invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name)
  }
}

export function text(maxLength = 5000): Reader<string | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${name}`, undefined, name)
    if (value === '') throw emptyValue(name)
    if (value.length > maxLength) {
      throw invalidRequest(
        `Invalid string: ${name} must be at most ${maxLength} characters`,
        undefined,
        name,
      )
    }
    if (value.includes('\0')) throw invalidRequest(`Invalid string: ${name}`, undefined, name)
    return value
  }
}

/** Parses an empty value as null, which removes the value of the field. */
export function emptyable(reader: Reader<string | undefined>): Reader<string | null | undefined> {
  return (value, name) => (value === '' ? null : reader(value, name))
}

export function integer(
  min = Number.MIN_SAFE_INTEGER,
  max = 99_999_999_99,
): Reader<number | undefined> {
  return (value, name) => {
    const number = matching(value, name, /^-?\d{1,15}$/, 'integer')
    if (number === undefined) return undefined
    const read = Number(number)
    if (read < min) {
      throw invalidRequest(
        `This value must be greater than or equal to ${min}.`,
        'parameter_invalid_integer',
        name,
      )
    }
    if (read > max) {
      throw invalidRequest(
        `This value must be less than or equal to ${max}.`,
        'parameter_invalid_integer',
        name,
      )
    }
    return read
  }
}

/** Parses a decimal number and returns it as text. The API allows at most 12 decimal places. */
export function decimal(): Reader<string | undefined> {
  return (value, name) => matching(value, name, /^-?\d{1,12}(\.\d{1,12})?$/, 'decimal')
}

export function flag(): Reader<boolean | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    if (value === 'true' || value === 'false') return value === 'true'
    throw invalidRequest(`Invalid boolean: ${name}`, undefined, name)
  }
}

export function oneOf<const T extends string>(...values: T[]): Reader<T | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    const found = values.find((candidate) => candidate === value)
    if (found !== undefined) return found
    throw invalidRequest(`Invalid ${name}: must be one of ${values.join(', ')}`, undefined, name)
  }
}

export function listOf<T>(reader: Reader<T>, maxItems = 100): Reader<NonNullable<T>[] | undefined> {
  const readItem = required(reader)
  return (value, name) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw invalidRequest('Invalid array', undefined, name)
    const keys = Object.keys(value).toSorted((left, right) => Number(left) - Number(right))
    if (keys.length > maxItems)
      throw invalidRequest(`Invalid array: at most ${maxItems} items`, undefined, name)
    return keys.map((key) => readItem(value[key], `${name}[${key}]`))
  }
}

export type MetadataChange = { [key: string]: string } | null

/**
 * Parses metadata. An empty value removes its key; an empty `metadata` parameter removes all keys and is returned as
 * null.
 */
export function metadata(): Reader<MetadataChange | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined
    if (value === '') return null
    if (typeof value === 'string') throw invalidRequest('Invalid object', undefined, name)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, metadataValue(item, key, name)]),
    )
  }
}

function metadataValue(value: Form | undefined, key: string, name: string): string {
  const param = `${name}[${key.slice(0, 60)}]`
  if (typeof value !== 'string' || `${key}${value}`.includes('\0')) {
    throw invalidRequest('Metadata values must be strings', undefined, param)
  }
  if (key.length > 40)
    throw invalidRequest('Metadata keys can be at most 40 characters', undefined, param)
  if (value.length > 500)
    throw invalidRequest('Metadata values can be at most 500 characters', undefined, param)
  return value
}

/**
 * Merges metadata as the API does: adds or replaces keys, removes keys with empty values, and keeps all other keys.
 */
export function mergeMetadata(
  current: { [key: string]: string } | null,
  change: MetadataChange | undefined,
): { [key: string]: string } {
  if (change === undefined) return current ?? {}
  if (change === null) return {}
  const merged = Object.entries({ ...current, ...change }).filter(([, value]) => value !== '')
  if (merged.length > 50)
    throw invalidRequest('Metadata can have at most 50 keys', undefined, 'metadata')
  return Object.fromEntries(merged)
}

function matching(
  value: Form | undefined,
  name: string,
  pattern: RegExp,
  typeName: string,
): string | undefined {
  if (value === undefined) return undefined
  if (value === '') throw emptyValue(name)
  if (typeof value === 'string' && pattern.test(value)) return value
  const shown = typeof value === 'string' ? value.slice(0, 60) : 'object'
  throw invalidRequest(`Invalid ${typeName}: ${shown}`, `parameter_invalid_${typeName}`, name)
}

function emptyValue(name: string) {
  return invalidRequest(
    `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
    'parameter_invalid_empty',
    name,
  )
}
