import { useEffect } from 'react'
import { areLiveEventsOpen, subscribeLiveEvents } from '#web/lib/live/live-events.ts'
import { readSession } from './session-api.ts'
import { sessionStore } from './session-store.ts'

/**
 * Reads the account's role again after the stream of live events was interrupted: the server ends the stream when an
 * owner changes the role. If the role changed, the page reloads and no longer shows the data of the former role.
 */
export function useCurrentRole(isSignedIn: boolean): void {
  useEffect(() => {
    if (!isSignedIn) return
    let hasBegun = areLiveEventsOpen()
    return subscribeLiveEvents(({ name }) => {
      if (name !== 'refetch') return
      if (hasBegun) void reloadIfChanged()
      hasBegun = true
    })
  }, [isSignedIn])
}

async function reloadIfChanged(): Promise<void> {
  const current = await readSession({ withDataSession: false })
  const shown = sessionStore.current()
  if (current && shown.state === 'signed-in' && current.role !== shown.role) {
    window.location.reload()
  }
}
