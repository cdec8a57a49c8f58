import type { Mailer } from '#server/features/emails/mailer.ts'
import { asServer } from '#server/platform/database/database.ts'
import type { PageFrame } from '#server/platform/http/page-frame.ts'
import type { Acting } from './act-on-visit.ts'
import { createPrivatePages, type PageServing } from './private-pages.ts'
import { readVisit, type Visit } from './read-visit.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** What the pages of appointments are served with. */
export type VisitServing = Acting &
  PageServing & {
    readonly mailer: Mailer
    readonly tokens: VisitTokens
    /** Around a page that shows an estimate. */
    readonly estimateFrame: () => PageFrame
  }

export function findVisit(
  { database }: VisitServing,
  bookingId: string,
): Promise<Visit | undefined> {
  return database.transaction(asServer, (query) => readVisit(query, bookingId))
}

/** The pages of one appointment each, by its link. */
export const { toAct, toShow } = createPrivatePages<VisitServing, Visit>({
  name: 'visit',
  root: '/visit',
  idOf: ({ tokens }, token) => tokens.bookingIdOf(token),
  read: findVisit,
})
