import type { QueryClient } from '@tanstack/react-query'

/**
 * After a change: reads again what is shown of the data under `queryKey`, or of all. A first reading that
 * is still under way is dropped, because it may hold what was true before the change;
 * `invalidateQueries` alone would wait for it and take it for fresh.
 */
export async function readAgain(queries: QueryClient, ...queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
