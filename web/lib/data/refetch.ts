import type { QueryClient } from '@tanstack/react-query'

/**
 * Call this after a change. Refetches the displayed data under `queryKey`, or all displayed data without a key. Cancels
 * a first fetch that is still running, because its response may be from before the change. `invalidateQueries` alone
 * would await that fetch and treat its data as fresh.
 */
export async function refetchQueries(queries: QueryClient, ...queryKey: string[]): Promise<void> {
  const readings = underWay.get(queries) ?? new Set()
  underWay.set(queries, readings)
  const reading = read(queries, queryKey).finally(() => readings.delete(reading))
  readings.add(reading)
  await reading
  // A later refetch cancels this refetch, so this function waits until all running refetches have ended.
  while (readings.size > 0) await Promise.all(readings)
}

/**
 * Refetches the displayed data whose query key equals this key.
 * @returns the current data. `fetchQuery` would return the old data, or throw, when a live event cancels its fetch.
 */
export async function refetchQuery<Data>(
  queries: QueryClient,
  queryKey: readonly string[],
): Promise<Data> {
  await refetchQueries(queries, ...queryKey)
  const { data, error } = queries.getQueryState<Data>(queryKey) ?? {}
  if (error) throw error
  if (data === undefined) throw new Error('Only data on screen can be refetched.')
  return data
}

const underWay = new WeakMap<QueryClient, Set<Promise<void>>>()

async function read(queries: QueryClient, queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
