import { createDraftStorage } from '#web/lib/forms/draft-storage.ts'

const kinds = ['customer', 'vehicle', 'booking', 'estimate', 'invoice'] as const

/** A record that was opened: only its kind and id, no typed text. */
export type RecentRecord = { readonly kind: (typeof kinds)[number]; readonly id: string }

const mostRemembered = 10

const storage = createDraftStorage<RecentRecord[]>('opened_records', (stored) =>
  Array.isArray(stored) ? stored.filter(isOpenedRecord).slice(0, mostRemembered) : undefined,
)

function isOpenedRecord(stored: unknown): stored is RecentRecord {
  const { kind, id }: { kind?: unknown; id?: unknown } = Object(stored)
  return typeof id === 'string' && kinds.some((candidate) => candidate === kind)
}

/** Puts a record first in the list of recently opened records. The list lasts as long as the browser tab. */
export function addRecentRecord({ kind, id }: RecentRecord): void {
  const others = listRecentRecords().filter((other) => other.kind !== kind || other.id !== id)
  storage.remember([{ kind, id }, ...others].slice(0, mostRemembered))
}

/** The ten records opened last, latest first. */
export const listRecentRecords = (): readonly RecentRecord[] => storage.recall() ?? []
