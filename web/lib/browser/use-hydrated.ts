import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * Whether React has hydrated the page: false in prerendered HTML and in the render that hydrates it, true afterwards.
 * Components read the query string, the clock and local storage only when the result is true, because both renders must
 * be the same.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
