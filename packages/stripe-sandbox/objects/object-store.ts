import { type Query, rowsAs } from '@local/postgres'
import { invalidRequest, resourceMissing } from '../api/api-error.ts'
import type { Kind, Kinds, StoredObject } from './wire.ts'

/** The filters and the page of a list request. */
export type ListQuery = {
  /** The fields and values that each returned object must contain. */
  readonly matching?: Readonly<Record<string, unknown>>
  /** An invoice number to search for, in upper or lower case. */
  readonly number?: string | undefined
  readonly created?: Bounds | undefined
  readonly limit?: number | undefined
  readonly startingAfter?: string | undefined
  readonly endingBefore?: string | undefined
}
/** The bounds of a timestamp, in seconds since 1970. */
export type Bounds = {
  readonly gt?: number | undefined
  readonly gte?: number | undefined
  readonly lt?: number | undefined
  readonly lte?: number | undefined
}
export type Page<K extends Kind> = { readonly data: Kinds[K][]; readonly hasMore: boolean }

/** Reads and writes the objects of the simulated Stripe account in one transaction. */
export type ObjectStore = {
  readonly query: Query
  readonly find: <K extends Kind>(kind: K, id: string) => Promise<Kinds[K] | undefined>
  /**
   * Reads an object. Throws `resource_missing` when the object does not exist: with status 400 when `param` names the
   * parameter with the id, otherwise with 404.
   */
  readonly retrieve: <K extends Kind>(kind: K, id: string, param?: string) => Promise<Kinds[K]>
  /** Reads an object and locks its row: other transactions cannot change the object until this transaction ends. */
  readonly lock: <K extends Kind>(kind: K, id: string, param?: string) => Promise<Kinds[K]>
  readonly insert: <O extends StoredObject>(object: O) => Promise<O>
  readonly save: <O extends StoredObject>(object: O) => Promise<O>
  readonly remove: (id: string) => Promise<void>
  readonly list: <K extends Kind>(kind: K, query: ListQuery) => Promise<Page<K>>
  /** Returns all matching objects, oldest first, but at most 1000. */
  readonly all: <K extends Kind>(
    kind: K,
    matching: Readonly<Record<string, unknown>>,
  ) => Promise<Kinds[K][]>
}

export function openStore(query: Query): ObjectStore {
  const read = async <K extends Kind>(kind: K, id: string, isLocked: boolean) => {
    const sql = isLocked
      ? 'select data from stripe_sandbox.objects where id = $1 and object = $2 for update'
      : 'select data from stripe_sandbox.objects where id = $1 and object = $2'
    const [row] = rowsAs<{ data: StoredObject }>(await query(sql, [id, kind]))
    return row?.data as Kinds[K] | undefined
  }
  const requireObject = async <K extends Kind>(
    kind: K,
    id: string,
    param: string | undefined,
    isLocked: boolean,
  ) => {
    const found = await read(kind, id, isLocked)
    if (found) return found
    throw resourceMissing(kind, id, param ?? 'id', param === undefined ? 404 : 400)
  }
  return {
    query,
    find: (kind, id) => read(kind, id, false),
    retrieve: (kind, id, param) => requireObject(kind, id, param, false),
    lock: (kind, id, param) => requireObject(kind, id, param, true),
    async insert(object) {
      await query(
        'insert into stripe_sandbox.objects (id, object, created, data) values ($1, $2, $3, $4)',
        [
          object.id,
          object.object,
          'created' in object ? object.created : object.date,
          JSON.stringify(object),
        ],
      )
      return object
    },
    async save(object) {
      await query('update stripe_sandbox.objects set data = $2 where id = $1', [
        object.id,
        JSON.stringify(object),
      ])
      return object
    },
    async remove(id) {
      await query('delete from stripe_sandbox.objects where id = $1', [id])
    },
    list: (kind, listQuery) => listPage(query, kind, listQuery),
    async all<K extends Kind>(kind: K, matching: Readonly<Record<string, unknown>>) {
      const rows = rowsAs<{ data: StoredObject }>(
        await query(
          'select data from stripe_sandbox.objects where object = $1 and data @> $2 order by seq limit 1000',
          [kind, JSON.stringify(matching)],
        ),
      )
      return rows.map((row) => row.data as Kinds[K])
    },
  }
}

async function listPage<K extends Kind>(
  query: Query,
  kind: K,
  listQuery: ListQuery,
): Promise<Page<K>> {
  const limit = listQuery.limit ?? 10
  const backwards = listQuery.endingBefore !== undefined
  const cursor = listQuery.endingBefore ?? listQuery.startingAfter
  const { gt, gte, lt, lte } = listQuery.created ?? {}
  const rows = await query.unchecked<{ data: Kinds[K] }>(
    `select data from stripe_sandbox.objects
     where object = $1 and data @> $2
       ${listQuery.number === undefined ? '' : `and lower(data ->> 'number') = lower($9)`}
       and ($3::bigint is null or seq ${backwards ? '>' : '<'} $3)
       and created > coalesce($4, -1) and created >= coalesce($5, 0)
       and created < coalesce($6, 253402300800) and created <= coalesce($7, 253402300800)
     order by seq ${backwards ? 'asc' : 'desc'}
     limit $8`,
    [
      kind,
      JSON.stringify(listQuery.matching ?? {}),
      await position(query, kind, cursor, backwards ? 'ending_before' : 'starting_after'),
      gt,
      gte,
      lt,
      lte,
      limit + 1,
      ...(listQuery.number === undefined ? [] : [listQuery.number]),
    ],
  )
  const data = rows.slice(0, limit).map((row) => row.data)
  return { data: backwards ? data.toReversed() : data, hasMore: rows.length > limit }
}

/** Returns the position of the object that a paging cursor names, in the order of creation; null without a cursor. */
async function position(
  query: Query,
  kind: Kind,
  id: string | undefined,
  param: string,
): Promise<string | null> {
  if (id === undefined) return null
  const [row] = await query(
    'select seq from stripe_sandbox.objects where id = $1 and object = $2',
    [id, kind],
  )
  if (row) return row.seq
  throw invalidRequest(`No such ${kind}: '${id.slice(0, 100)}'`, 'resource_missing', param)
}
