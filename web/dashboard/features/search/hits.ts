import type { DashboardLink } from '#web/dashboard/kit/navigation/links.ts'
import type { RecentRecord } from '#web/dashboard/kit/records/recent-records.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

/** One search result. */
export type Hit = RecentRecord & {
  readonly title: string
  readonly detail: string
  /**
   * The state of the record, which a badge at the end of the line shows. If `remark` is set, the line shows the remark
   * instead of the badge.
   */
  readonly badge?: { readonly tone: BadgeTone; readonly label: string } | undefined
  readonly remark?: string | undefined
  /** The page that shows the record. */
  readonly link: DashboardLink
  /** The customer for whom the B key opens the phone booking panel. */
  readonly customer?: { readonly name: string; readonly phone: string | null }
}

/** The kinds of search results. */
export type GroupTitle = 'Customers' | 'Vehicles' | 'Appointments' | 'Estimates and invoices'

/** The search results of one kind, in the order in which the database ranks them. */
export type HitGroup = {
  readonly title: GroupTitle | 'Recently opened'
  readonly hits: readonly Hit[]
  /** The label of the line that shows the remaining results of a group: 'All 14'. */
  readonly more?: string | undefined
  /** A note below the results. */
  readonly note?: string | undefined
}

/** A line that the user presses to show all results of one kind. */
export type MoreLine = { readonly kind: 'more'; readonly of: GroupTitle; readonly title: string }
export type HitLine = Hit | MoreLine

/** The lines of a group in the order in which the arrow keys highlight them. */
export function hitLines({ title, hits, more }: HitGroup): readonly HitLine[] {
  if (more === undefined || title === 'Recently opened') return hits
  return [...hits, { kind: 'more', of: title, title: more }]
}
