import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False in prerendered HTML and in the first render that takes it over, true from then on. What depends
 * on the browser (query string, clock, local storage) waits for it, or the two renders would differ.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
