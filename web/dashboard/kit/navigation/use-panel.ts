import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

export type PanelName =
  | 'panel'
  | 'pay'
  | 'booking'
  | 'move'
  | 'edit'
  | 'book'
  | 'bay'
  | 'convert'
  | 'status'
  | 'note'
  | 'create'
  | 'reply'
type Panel = { readonly [name in PanelName]?: string | undefined }

/*
 * The panels that the user has just opened or closed, before the URL names them: the router renders a new URL in a
 * React transition. A key press during the transition must already act on these panels.
 */
let pending: Panel = {}
const listeners = new Set<() => void>()

function setPending(next: Panel): void {
  pending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Opens and closes panels over a page. The URL names each open panel, so that a link can open the panel and the
 * browser's Back button closes it.
 */
export function usePanel() {
  const navigate = useNavigate()
  const search: Panel = useSearch({ strict: false })
  const shown = { ...search, ...useSyncExternalStore(subscribe, () => pending) }
  const change = (panel: Panel, replace: boolean) => {
    const mine = { ...pending, ...panel }
    setPending(mine)
    const merge = (now: object) => ({ ...now, ...mine })
    void navigate({ to: '.', search: merge, replace, resetScroll: false }).finally(
      () => pending === mine && setPending({}),
    )
  }
  return {
    /** The search parameters of the open panels. */
    shown,
    open: (panel: Panel) => change(panel, false),
    /** Shows another record in the open panel, without adding an entry to the browser's history. */
    replace: (panel: Panel) => change(panel, true),
    // Closes the panel without going back in the history, because going back would undo a navigation that follows
    // immediately.
    close: (...names: readonly PanelName[]) =>
      change(Object.fromEntries(names.map((name) => [name, undefined])), true),
  }
}
