import { useCallback, useSyncExternalStore } from 'react'
import { guardBackNavigation, navigateAfterConfirm } from './unsaved-changes-guard.ts'

const changedEvent = 'searchparamschange'

function subscribe(listener: () => void): () => void {
  const follow = () => {
    guardBackNavigation()
    listener()
  }
  window.addEventListener('popstate', follow)
  window.addEventListener(changedEvent, listener)
  return () => {
    window.removeEventListener('popstate', follow)
    window.removeEventListener(changedEvent, listener)
  }
}

/**
 * Navigates to another query string of this document. Adds a history entry, or replaces the current one with `replace`.
 * A page with unsaved changes (unsaved-changes-guard.ts) asks the user first.
 */
export function navigateSearch(search: string, options?: { replace?: boolean }): void {
  const url = window.location.pathname + search
  const go = () => {
    if (options?.replace) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    window.dispatchEvent(new Event(changedEvent))
  }
  if (options?.replace) go()
  else navigateAfterConfirm(go)
}

/** Changes to the query string; `null` removes a name. */
export type SearchParamChanges = Readonly<Record<string, string | null>>

/**
 * The query string of a document without a router, as React state, so that deep links, Back and reload restore the
 * view. The setter adds a history entry, or replaces the current one with `replace`.
 */
export function useSearchParams(): [
  URLSearchParams,
  (changes: SearchParamChanges, options?: { replace?: boolean }) => void,
] {
  const search = useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => '',
  )
  const change = useCallback((changes: SearchParamChanges, options?: { replace?: boolean }) => {
    const params = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) params.delete(name)
      else params.set(name, value)
    }
    const query = params.toString()
    navigateSearch(query && `?${query}`, options)
  }, [])
  return [new URLSearchParams(search), change]
}
