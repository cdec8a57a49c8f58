import { useEffect, useId, useRef, useSyncExternalStore } from 'react'

/** What the bar's buttons do; without them what is typed is only kept from being left. */
type SaveActions = { save: () => void; discard: () => void; isSaving: boolean }

/** What somebody typed in one form and has not saved. */
export type UnsavedChanges = {
  /** In the words of the fields: 'Shop phone'. Never empty. */
  readonly labels: readonly string[]
  readonly actions: SaveActions | undefined
}

const parts = new Map<string, UnsavedChanges>()
let all: readonly UnsavedChanges[] = []
const listeners = new Set<() => void>()

function put(id: string, unsaved: UnsavedChanges | undefined) {
  if (unsaved) parts.set(id, unsaved)
  else parts.delete(id)
  all = [...parts.values()]
  for (const listener of listeners) listener()
}

/**
 * Says what in a form of the settings is not saved: nobody leaves it unasked, and given what saving and
 * discarding do the bar 'Not saved: …' offers both.
 *
 *   useUnsavedChanges(name === saved.name ? [] : ['Name of the bay'])
 */
export function useUnsavedChanges(labels: readonly string[], actions?: SaveActions): void {
  const id = useId()
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const text = labels.join('\n')
  const hasActions = actions !== undefined
  const isSaving = actions?.isSaving ?? false
  useEffect(() => {
    if (!text) return
    const save = () => latest.current?.save()
    const discard = () => latest.current?.discard()
    put(id, {
      labels: text.split('\n'),
      actions: hasActions ? { save, discard, isSaving } : undefined,
    })
    return () => put(id, undefined)
  }, [id, text, hasActions, isSaving])
}

/** All that is not saved now. */
export function useAllUnsavedChanges(): readonly UnsavedChanges[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => all,
  )
}
