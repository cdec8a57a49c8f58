import { createTabStorage } from '#web/lib/forms/tab-storage.ts'

const kinds = ['customer', 'vehicle', 'booking', 'estimate', 'invoice'] as const

/** A record that was opened: what it is and its id, nothing that somebody typed. */
export type RecentRecord = { readonly kind: (typeof kinds)[number]; readonly id: string }

const mostRemembered = 10

const storage = createTabStorage<RecentRecord[]>('opened_records', (stored) =>
  Array.isArray(stored) ? stored.filter(isOpenedRecord).slice(0, mostRemembered) : undefined,
)

function isOpenedRecord(stored: unknown): stored is RecentRecord {
  if (typeof stored !== 'object' || stored === null) return false
  const { kind, id } = stored as Record<string, unknown>
  return typeof id === 'string' && kinds.some((candidate) => candidate === kind)
}

/** Puts a record in front of those opened last, for as long as the tab lives. */
export function addRecentRecord({ kind, id }: RecentRecord): void {
  const others = listRecentRecords().filter((other) => other.kind !== kind || other.id !== id)
  storage.remember([{ kind, id }, ...others].slice(0, mostRemembered))
}

/** The last ten, latest first. */
export const listRecentRecords = (): readonly RecentRecord[] => storage.recall() ?? []
