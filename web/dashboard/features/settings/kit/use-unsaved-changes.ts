import { useEffect, useId, useRef, useSyncExternalStore } from 'react'

/** The actions of the save bar. A form without them is only guarded against navigation. */
type SaveActions = { save: () => void; discard: () => void; isSaving: boolean }

/** The unsaved changes of one form. */
export type UnsavedChanges = {
  /** The labels of the changed fields: 'Shop phone'. Never empty. */
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
 * Registers the unsaved changes of a form, so that navigation asks the user first. With `actions`, the save bar
 * 'Not saved: …' offers to save or discard them.
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

/** The unsaved changes of all forms. */
export function useAllUnsavedChanges(): readonly UnsavedChanges[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => all,
  )
}
