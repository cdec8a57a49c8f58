import type { QueryClient } from '@tanstack/react-query'

/**
 * After a change: reads again what is shown of the data under `queryKey`, or of all. A first reading that
 * is still under way is dropped, because it may hold what was true before the change;
 * `invalidateQueries` alone would wait for it and take it for fresh.
 */
export async function readAgain(queries: QueryClient, ...queryKey: string[]): Promise<void> {
  let reading = read(queries, queryKey)
  latest.set(queries, reading)
  await reading
  // Whoever reads again meanwhile puts an end to this reading: what they bring is waited for.
  for (let next = latest.get(queries); next && next !== reading; next = latest.get(queries)) {
    reading = next
    await reading
  }
}

const latest = new WeakMap<QueryClient, Promise<void>>()

async function read(queries: QueryClient, queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
