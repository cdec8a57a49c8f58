import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { PageFrame } from '#server/platform/http/pages/page-frame.ts'
import type { VisitActionContext } from './actions/run-visit-action.ts'
import { createLinkPages, type LinkPageContext } from './link-pages.ts'
import { readVisitPage, type VisitPageData } from './read-visit-page.ts'
import type { VisitPageTokens } from './visit-page-tokens.ts'

/** The dependencies of the visit pages. */
export type VisitPageContext = VisitActionContext &
  LinkPageContext & {
    readonly mailer: Mailer
    readonly tokens: VisitPageTokens
    /** The frame around a page that shows an estimate. */
    readonly estimateFrame: () => PageFrame
  }

export function findVisitPage(
  { database }: VisitPageContext,
  bookingId: string,
): Promise<VisitPageData | undefined> {
  return database.transaction(asServer, (query) => readVisitPage(query, bookingId))
}

/** Serves the visit pages, each opened by its link. */
export const { actionHandler, pageHandler } = createLinkPages<VisitPageContext, VisitPageData>({
  name: 'visit',
  root: '/visit',
  idOf: ({ tokens }, token) => tokens.bookingIdOf(token),
  read: findVisitPage,
})
