import type { ComponentType } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

type Part = 'BackupWarning' | 'BackupLine'

/**
 * The code of the backup's lines is loaded after the day, which is more urgent. When it cannot be loaded, no line is
 * shown.
 */
const later = (part: Part) =>
  lazyComponent<object>(async (): Promise<ComponentType> => {
    const parts = await import('./backup-state.tsx').catch(() => undefined)
    return parts?.[part] ?? Nothing
  }, null)

const Nothing = () => null

export const BackupWarning = later('BackupWarning')
export const BackupLine = later('BackupLine')
