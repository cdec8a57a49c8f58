import type { ObjectStore, Page } from '../objects/object-store.ts'
import type { EventType, Kind, StoredObject, WireList } from '../objects/wire.ts'
import type { FormObject } from './form.ts'
import type { FormReader } from './params.ts'

/** What a request may use while it runs: one transaction, one moment, and the voice to tell of events. */
export type Call = {
  readonly store: ObjectStore
  /** Seconds since 1970, the unit of every time in the API. */
  readonly now: number
  /** What the account is called. */
  readonly accountName: string
  /** Records an event with a snapshot of the object; it is delivered after the transaction. */
  readonly emit: (type: EventType, object: StoredObject) => Promise<void>
}

/** What a route answers: an object, a list, or one of the API's few other shapes. */
export type Answer =
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
  /** The parameters it takes, beside `expand`. */
  readonly params: readonly string[]
  /** Reads the parameters (an ApiError when they are wrong) and gives the work to do with them. */
  prepare(form: FormObject, ids: readonly string[]): (call: Call) => Promise<Answer>
}

/** A route of the API. `:name` in the path stands for an id, handed to `handle` in order. */
export function route<Params>(
  line: `${Route['method']} /v1/${string}`,
  read: FormReader<Params>,
  handle: (call: Call, params: Params, ...ids: string[]) => Promise<Answer>,
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

/** The ids in the address when it is this route's, else undefined. */
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

/** A page of stored objects in the API's list shape. */
export function asList<K extends Kind>(page: Page<K>, url: string): WireList<StoredObject> {
  return { object: 'list', data: page.data, has_more: page.hasMore, url }
}
