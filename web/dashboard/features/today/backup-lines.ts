import type { ComponentType } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

type Part = 'BackupWarning' | 'BackupLine'

/** Loaded after the day, which is more urgent; nothing is shown in its place when the code cannot be loaded. */
const later = (part: Part) =>
  lazyComponent<object>(async (): Promise<ComponentType> => {
    const parts = await import('./backup-state.tsx').catch(() => undefined)
    return parts?.[part] ?? Nothing
  }, null)

const Nothing = () => null

export const BackupWarning = later('BackupWarning')
export const BackupLine = later('BackupLine')
