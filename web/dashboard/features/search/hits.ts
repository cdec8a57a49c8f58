import type { RecentRecord } from '#web/dashboard/kit/records/recent-records.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

/** A line of what was found. */
export type Hit = RecentRecord & {
  readonly title: string
  readonly detail: string
  /** At its end: a state, or a few words. */
  readonly badge?: { readonly tone: BadgeTone; readonly label: string } | undefined
  readonly remark?: string | undefined
  /** The query string where it is seen. */
  readonly search: string
  /** Whom `B` books from here. */
  readonly customer?: { readonly name: string; readonly phone: string | null }
}

/** The kinds of what is found. */
export type GroupTitle = 'Customers' | 'Vehicles' | 'Appointments' | 'Estimates and invoices'

/** Hits of one kind, in the order in which the database ranks them. */
export type HitGroup = {
  readonly title: GroupTitle | 'Recently opened'
  readonly hits: readonly Hit[]
  /** What leads to those that are not shown: 'All 14'. */
  readonly more?: string | undefined
  /** Said below them. */
  readonly note?: string | undefined
}

/** A line that leads to all of a kind. */
export type MoreLine = { readonly kind: 'more'; readonly of: GroupTitle; readonly title: string }
export type HitLine = Hit | MoreLine

/** The lines of a group, in the order in which the arrows walk them. */
export function hitLines({ title, hits, more }: HitGroup): readonly HitLine[] {
  if (more === undefined || title === 'Recently opened') return hits
  return [...hits, { kind: 'more', of: title, title: more }]
}
