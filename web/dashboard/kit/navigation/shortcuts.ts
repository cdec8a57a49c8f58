import { useEffect, useRef, useSyncExternalStore } from 'react'

const storageKey = 'admin_shortcuts'
/**
 * The key in local storage under which earlier releases stored this setting. The dashboard still reads it, so that
 * shortcuts stay off if the user switched them off in an earlier release.
 */
const formerStorageKey = 'admin_letter_keys'
const changedEvent = 'shortcutschange'

/** Whether single-letter shortcuts are enabled in this browser. */
export const areShortcutsEnabled = () =>
  (localStorage.getItem(storageKey) ?? localStorage.getItem(formerStorageKey)) !== 'off'

function subscribe(listener: () => void): () => void {
  window.addEventListener(changedEvent, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(changedEvent, listener)
    window.removeEventListener('storage', listener)
  }
}

/** Whether single-letter shortcuts are enabled in this browser (WCAG 2.1.4), and a function that switches them. */
export function useShortcuts(): [areOn: boolean, change: (areOn: boolean) => void] {
  const on = useSyncExternalStore(subscribe, areShortcutsEnabled)
  return [on, change]
}

function change(on: boolean): void {
  localStorage.removeItem(formerStorageKey)
  if (on) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
  window.dispatchEvent(new Event(changedEvent))
}

/**
 * Runs an action when the user presses a key without a modifier. Ignores keys in text fields, behind open dialogs and
 * while shortcuts are off.
 */
export function useShortcut(key: string, action: () => void): void {
  const latest = useRef(action)
  useEffect(() => {
    latest.current = action
  })
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key || !isPlain(event) || !areShortcutsEnabled()) return
      if (isTextField(event.target) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [key])
}

const isPlain = (event: KeyboardEvent) =>
  !event.repeat && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey

const isTextField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null
