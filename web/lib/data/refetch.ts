import type { QueryClient } from '@tanstack/react-query'

/**
 * After a change: reads again what is shown of the data under `queryKey`, or of all. A first reading that
 * is still under way is dropped, because it may hold what was true before the change;
 * `invalidateQueries` alone would wait for it and take it for fresh.
 */
export async function refetchQueries(queries: QueryClient, ...queryKey: string[]): Promise<void> {
  const readings = underWay.get(queries) ?? new Set()
  underWay.set(queries, readings)
  const reading = read(queries, queryKey).finally(() => readings.delete(reading))
  readings.add(reading)
  await reading
  // Whoever reads again meanwhile puts an end to this reading: what they bring is waited for.
  while (readings.size > 0) await Promise.all(readings)
}

/**
 * Reads again what is shown under this very key.
 * @returns what it is now: `fetchQuery` would return what was shown before, or throw, where news put an end to its reading.
 */
export async function refetchQuery<Data>(
  queries: QueryClient,
  queryKey: readonly string[],
): Promise<Data> {
  await refetchQueries(queries, ...queryKey)
  const { data, error } = queries.getQueryState<Data>(queryKey) ?? {}
  if (error) throw error
  if (data === undefined) throw new Error('Only what is shown can be read again.')
  return data
}

const underWay = new WeakMap<QueryClient, Set<Promise<void>>>()

async function read(queries: QueryClient, queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
