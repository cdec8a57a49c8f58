import type { Bounds, ListQuery } from '../objects/object-store.ts'
import type { WireList } from '../objects/wire.ts'
import { invalidRequest } from './api-error.ts'
import type { Form } from './form.ts'
import { integer, object, type Reader, text } from './params.ts'

const seconds = () => integer(0, 253_402_300_799)
const bounds = object({ gt: seconds(), gte: seconds(), lt: seconds(), lte: seconds() })

/** The paging parameters that every list accepts. */
export const pageParams = {
  limit: integer(1, 100),
  starting_after: text(255),
  ending_before: text(255),
}

/** Parses the parameter `created`, which is a timestamp or an object with bounds. */
export const createdParam: Reader<Bounds | undefined> = (value: Form | undefined, name) => {
  if (typeof value !== 'string') return bounds(value, name)
  const timestamp = seconds()(value, name)
  return timestamp === undefined ? undefined : { gte: timestamp, lte: timestamp }
}

type PageParams = {
  limit: number | undefined
  starting_after: string | undefined
  ending_before: string | undefined
  created?: Bounds | undefined
}

/** Returns one page of a list that is stored inside another object, such as the lines of an invoice. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  params: PageParams,
  url: string,
): WireList<Item> {
  const limit = params.limit ?? 10
  const until =
    params.ending_before === undefined ? items.length : indexOfId(items, params.ending_before)
  const after = params.starting_after === undefined ? -1 : indexOfId(items, params.starting_after)
  const start = params.ending_before === undefined ? after + 1 : Math.max(0, until - limit)
  const end = Math.min(until, start + limit)
  const hasMore = params.ending_before === undefined ? end < items.length : start > 0
  return { object: 'list', data: items.slice(start, end), has_more: hasMore, url }
}

function indexOfId(items: readonly { readonly id: string }[], id: string): number {
  const index = items.findIndex((item) => item.id === id)
  if (index !== -1) return index
  throw invalidRequest(`No such item: '${id.slice(0, 100)}'`, 'resource_missing', 'starting_after')
}

/** Converts list parameters to a query of the object store. Parameters that are undefined match every object. */
export function listQuery(params: PageParams, matching: Record<string, unknown> = {}): ListQuery {
  return {
    limit: params.limit,
    startingAfter: params.starting_after,
    endingBefore: params.ending_before,
    created: params.created,
    matching: Object.fromEntries(
      Object.entries(matching).filter(([, value]) => value !== undefined),
    ),
  }
}
