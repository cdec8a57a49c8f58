import { createDraftStorage } from '#web/lib/forms/draft-storage.ts'

const kinds = ['customer', 'vehicle', 'booking', 'estimate', 'invoice'] as const

/** A record that the user opened: only its kind and id, no text. */
export type RecentRecord = { readonly kind: (typeof kinds)[number]; readonly id: string }

const mostRemembered = 10

const storage = createDraftStorage<RecentRecord[]>('opened_records', (stored) =>
  Array.isArray(stored) ? stored.filter(isOpenedRecord).slice(0, mostRemembered) : undefined,
)

function isOpenedRecord(stored: unknown): stored is RecentRecord {
  const { kind, id }: { kind?: unknown; id?: unknown } = Object(stored)
  return typeof id === 'string' && kinds.some((candidate) => candidate === kind)
}

/**
 * Puts a record at the start of the list of recently opened records. The browser stores the list until the tab is
 * closed.
 */
export function addRecentRecord({ kind, id }: RecentRecord): void {
  const others = listRecentRecords().filter((other) => other.kind !== kind || other.id !== id)
  storage.remember([{ kind, id }, ...others].slice(0, mostRemembered))
}

/** The ten records that the user opened last, latest first. */
export const listRecentRecords = (): readonly RecentRecord[] => storage.recall() ?? []
