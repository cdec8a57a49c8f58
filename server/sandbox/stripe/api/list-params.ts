import type { Bounds, ListQuery } from '../objects/object-store.ts'
import type { Form } from './form.ts'
import { integer, object, type Reader, text } from './params.ts'

const seconds = () => integer(0, 253_402_300_799)
const bounds = object({ gt: seconds(), gte: seconds(), lt: seconds(), lte: seconds() })

/** The page parameters that every list takes. */
export const pageParams = {
  limit: integer(1, 100),
  starting_after: text(255),
  ending_before: text(255),
}

/** `created` as one moment or as bounds. */
export const createdParam: Reader<Bounds | undefined> = (value: Form | undefined, name) => {
  if (typeof value !== 'string') return bounds(value, name)
  const moment = seconds()(value, name)
  return moment === undefined ? undefined : { gte: moment, lte: moment }
}

type PageParams = {
  limit: number | undefined
  starting_after: string | undefined
  ending_before: string | undefined
  created?: Bounds | undefined
}

/** What the store is asked for; parameters that were not sent match everything. */
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
