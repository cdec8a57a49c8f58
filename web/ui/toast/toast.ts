/**
 * The texts of a notification. `destructive` is for failures and refused input: pink stripe, announced immediately by
 * screen readers.
 */
export type ToastMessage = {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  /** A button in the notification, such as Undo. A notification with a button stays for ten seconds. */
  action?: ToastAction
  /** A second button, beside the button of `action`. */
  alternative?: ToastAction
}

type ToastAction = { readonly label: string; readonly run: () => void }

export type ShownToast = ToastMessage & { id: number }

let shown: ShownToast | null = null
let nextId = 1
const listeners = new Set<() => void>()

function show(next: ShownToast | null) {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * Shows a notification at the bottom right for 5 seconds, or for 10 seconds if it has a button. A new notification
 * replaces the previous one.
 */
export function toast(message: ToastMessage): void {
  show({ ...message, id: nextId++ })
}

/** Dismisses the shown notification. With an id, dismisses the notification only if it has this id. */
export function dismissToast(id?: number): void {
  if (shown && (id === undefined || shown.id === id)) show(null)
}

/** The current notification and the subscription to its changes, for toast-region.tsx. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => shown,
}
