import type { OpenedRecord } from '#web/lib/opened-records.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

/** A line of what was found. */
export type Hit = OpenedRecord & {
  readonly title: string
  readonly detail: string
  /** At its end: a state, or a few words. */
  readonly badge?: { readonly tone: BadgeTone; readonly label: string } | undefined
  readonly remark?: string | undefined
  /** The query string where it is seen. */
  readonly search: string
  /** Whom `B` books from here. */
  readonly caller?: { readonly name: string; readonly phone: string | null }
}

/** Hits of one kind, in the order in which the database ranks them. */
export type HitGroup = { readonly title: string; readonly hits: readonly Hit[] }
