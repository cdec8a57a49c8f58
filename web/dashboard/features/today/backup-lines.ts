import type { ComponentType } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

type Part = 'BackupWarning' | 'BackupLine'

/**
 * The browser loads the code of the backup lines after the day, which is more urgent. If loading fails, Today shows no
 * such line.
 */
const later = (part: Part) =>
  lazyComponent<object>(async (): Promise<ComponentType> => {
    const parts = await import('./backup-state.tsx').catch(() => undefined)
    return parts?.[part] ?? Nothing
  }, null)

const Nothing = () => null

export const BackupWarning = later('BackupWarning')
export const BackupLine = later('BackupLine')
