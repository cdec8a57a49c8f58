import { invalidRequest } from './api-error.ts'

/**
 * A parsed form: `a[b][0]=c` becomes `{a: {b: {0: 'c'}}}`. The objects have no prototype, so that no key can collide
 * with an inherited property.
 */
export type Form = string | FormObject
export type FormObject = { [key: string]: Form | undefined }

const maxDepth = 6
const maxPairs = 4_000

/** Parses a query string or a form body in the format of the SDK. Throws an ApiError for malformed input. */
export function parseForm(text: string): FormObject {
  const form = emptyObject()
  let pairs = 0
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1
    if (pairs > maxPairs) throw invalidRequest('The request has too many parameters.')
    setValue(form, pathOf(name), value, name)
  }
  return form
}

function pathOf(name: string): string[] {
  const first = name.indexOf('[')
  if (first === -1) return [name]
  if (!/^[^[\]]+(\[[^[\]]*\])+$/.test(name))
    throw invalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`)
  return [name.slice(0, first), ...name.slice(first + 1, -1).split('][')]
}

function setValue(form: FormObject, path: string[], value: string, name: string): void {
  if (path.length > maxDepth)
    throw invalidRequest(`Parameter is nested too deeply: ${name.slice(0, 100)}`)
  let target = form
  for (const [index, step] of path.entries()) {
    // PHP and Rails clients send lists as `a[]=x`, so each such value is appended to the list.
    const key = step === '' ? String(Object.keys(target).length) : step
    if (index === path.length - 1) {
      target[key] = value
      return
    }
    const next = target[key]
    if (typeof next === 'string') throw invalidRequest(`Invalid parameter: ${name.slice(0, 100)}`)
    target = target[key] = next ?? emptyObject()
  }
}

function emptyObject(): FormObject {
  return Object.create(null) as FormObject
}
