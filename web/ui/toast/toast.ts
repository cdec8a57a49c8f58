/** What a notification says. `destructive` is for failures and refused input: pink stripe, announced at once. */
export type ToastMessage = {
  title: string
  description?: string
  variant?: 'default' | 'destructive'
  /** A way back, as a button; the notification then stays for ten seconds. */
  action?: ToastAction
  /** A second button beside it. */
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

/** Shows a notification for 5 seconds (10 with an action), bottom right; one at a time, so it replaces the one before. */
export function toast(message: ToastMessage): void {
  show({ ...message, id: nextId++ })
}

/** Takes the notification away; with an id only when that one is still the one shown. */
export function dismissToast(id?: number): void {
  if (shown && (id === undefined || shown.id === id)) show(null)
}

/** For toast-region.tsx. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => shown,
}
