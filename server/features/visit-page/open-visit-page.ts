import type { RepairStatus, VisitPageData } from '#contracts/bookings/visit-page.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { VisitActionContext } from './actions/run-visit-action.ts'
import { createLinkPages, type LinkPageContext } from './link-pages.ts'
import { readRepairStatus } from './read-repair-status.ts'
import { readVisitPage } from './read-visit-page.ts'
import type { VisitPageTokens } from './visit-page-tokens.ts'

/** The dependencies of the visit pages. */
export type VisitPageContext = VisitActionContext &
  LinkPageContext & {
    readonly mailer: Mailer
    readonly tokens: VisitPageTokens
  }

export function findVisitPage(
  { database }: VisitPageContext,
  bookingId: string,
): Promise<VisitPageData | undefined> {
  return database.transaction(asServer, (query) => readVisitPage(query, bookingId))
}

/** Reads the repair status of a booking, which every response of its visit page includes. */
export function readWorkOf(serving: VisitPageContext, bookingId: string): Promise<RepairStatus> {
  return serving.database.transaction(asServer, (query) => readRepairStatus(query, bookingId))
}

/** Creates the route handlers of the visit page, which a customer opens with a secret link. */
export const { actionHandler, pageHandler } = createLinkPages<VisitPageContext, VisitPageData>({
  name: 'visit',
  root: '/visit',
  idOf: ({ tokens }, token) => tokens.bookingIdOf(token),
  read: findVisitPage,
})
