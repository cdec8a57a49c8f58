import { useEffect, useId, useRef, useSyncExternalStore } from 'react'

/**
 * The functions of the buttons in the save bar. A form without them shows no save bar, but navigation still asks the
 * user before it discards input.
 */
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
  notify()
}

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
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

/** Returns the unsaved changes of all forms that are currently rendered. */
export function useAllUnsavedChanges(): readonly UnsavedChanges[] {
  return useSyncExternalStore(subscribe, () => all)
}

/**
 * Opens the dialog that asks the user whether the unsaved input may be discarded. Calls `answer` once with the user's
 * choice.
 */
type DiscardQuestion = { readonly answer: (isDiscarded: boolean) => void }

let question: DiscardQuestion | undefined

/** Runs `go`. If there is unsaved input, the user must first agree to discard it. */
export function discardThen(go: () => void): void {
  void confirmDiscard().then((isDiscarded) => isDiscarded && go())
}

/**
 * Resolves to whether the user agrees to discard the unsaved input. Without unsaved input, resolves to true without
 * asking.
 */
export function confirmDiscard(): Promise<boolean> {
  if (all.length === 0) return Promise.resolve(true)
  question?.answer(false)
  return new Promise((resolve) => {
    const answer = (isDiscarded: boolean) => {
      question = undefined
      if (isDiscarded) discardAll()
      else notify()
      resolve(isDiscarded)
    }
    question = { answer }
    notify()
  })
}

function discardAll() {
  for (const { actions } of all) actions?.discard()
  parts.clear()
  all = []
  notify()
}

/** The pending question whether to discard unsaved input; undefined while the dialog is closed. */
export const useDiscardQuestion = () => useSyncExternalStore(subscribe, () => question)
