import { useSyncExternalStore } from 'react'

/** Whether a media query holds; follows the window. On a page that is rendered before a browser knows: true. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => true,
  )
}
