import type { ComponentType } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

type Part = 'BackupWarning' | 'BackupLine'

/**
 * The browser loads the code of the backup texts after the day's data, which is more urgent. If the code fails to load,
 * the Today page shows no text about the backup.
 */
const later = (part: Part) =>
  lazyComponent<object>(async (): Promise<ComponentType> => {
    const parts = await import('./backup-state.tsx').catch(() => undefined)
    return parts?.[part] ?? Nothing
  }, null)

const Nothing = () => null

export const BackupWarning = later('BackupWarning')
export const BackupLine = later('BackupLine')
