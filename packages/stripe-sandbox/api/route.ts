import type { Account } from '../account.ts'
import type { ObjectStore, Page } from '../objects/object-store.ts'
import type { EventType, Kind, StoredObject, WireList } from '../objects/wire.ts'
import type { FormObject } from './form.ts'
import type { FormReader } from './params.ts'

/** The context of one API request: its transaction, its time, and the function that records events. */
export type Call = {
  readonly store: ObjectStore
  /** The time of the request in seconds since 1970, the unit of every time in the API. */
  readonly now: number
  /** The account's settings at the beginning of the request. */
  readonly account: Account
  /** Records an event with a snapshot of the object. The event is delivered after the transaction has committed. */
  readonly emit: (type: EventType, object: StoredObject) => Promise<void>
}

/** The body of a successful response: an object, a list, a search result or the confirmation of a deletion. */
export type ResponseBody =
  | StoredObject
  | WireList<unknown>
  | {
      object: 'search_result'
      data: StoredObject[]
      has_more: boolean
      next_page: string | null
      url: string
    }
  | { object: Kind; id: string; deleted: true }

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: readonly string[]
  /** The names of the parameters that the route accepts, in addition to `expand`, which every route accepts. */
  readonly params: readonly string[]
  /**
   * Validates the parameters and returns the function that performs the request. Throws an ApiError for invalid
   * parameters.
   */
  prepare(form: FormObject, ids: readonly string[]): (call: Call) => Promise<ResponseBody>
}

/** Defines a route of the API. `handle` receives the id for each `:name` of the path, in the order of the path. */
export function route<Params>(
  line: `${Route['method']} /v1/${string}`,
  read: FormReader<Params>,
  handle: (call: Call, params: Params, ...ids: string[]) => Promise<ResponseBody>,
): Route {
  const [method, path] = line.split(' ') as [Route['method'], string]
  return {
    method,
    path: path.split('/').slice(1),
    params: read.names,
    prepare(form, ids) {
      const params = read(form)
      return (call) => handle(call, params, ...ids)
    },
  }
}

/** Returns the ids in the path when the path matches the route, otherwise undefined. */
export function matchPath(route: Route, segments: readonly string[]): string[] | undefined {
  if (route.path.length !== segments.length) return undefined
  const ids: string[] = []
  for (const [index, expected] of route.path.entries()) {
    const segment = segments[index] ?? ''
    if (expected.startsWith(':')) ids.push(segment)
    else if (expected !== segment) return undefined
  }
  return ids
}

/** Converts a page of stored objects to a list of the API. */
export function asList<K extends Kind>(page: Page<K>, url: string): WireList<StoredObject> {
  return { object: 'list', data: page.data, has_more: page.hasMore, url }
}
