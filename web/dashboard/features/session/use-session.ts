import { useSyncExternalStore } from 'react'
import { type Session, sessionStore } from './session-store.ts'

const checking: Session = { state: 'checking' }

export function useSession(): Session {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.current, () => checking)
}
