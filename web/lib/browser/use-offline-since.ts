import { useSyncExternalStore } from 'react'

let offlineSince: Date | undefined

function update(): void {
  offlineSince = navigator.onLine ? undefined : (offlineSince ?? new Date())
}

function subscribe(listener: () => void): () => void {
  const follow = () => {
    update()
    listener()
  }
  follow()
  window.addEventListener('online', follow)
  window.addEventListener('offline', follow)
  return () => {
    window.removeEventListener('online', follow)
    window.removeEventListener('offline', follow)
  }
}

/** The time at which the browser reported the loss of its connection; undefined while the browser is connected. */
export function useOfflineSince(): Date | undefined {
  return useSyncExternalStore(
    subscribe,
    () => offlineSince,
    () => undefined,
  )
}
