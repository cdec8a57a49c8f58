import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { createLinkPages, type LinkPageContext } from '#server/features/visit-page/link-pages.ts'
import { asServer } from '#server/platform/database/identities.ts'
import type { DecisionContext } from './decision-context.ts'
import type { OpenEstimateToken } from './estimate-tokens.ts'
import { readSentRevision } from './read-sent-revision.ts'

/** The dependencies of the estimate pages. */
export type EstimatePageContext = DecisionContext &
  LinkPageContext & {
    readonly mailer: Mailer
    readonly estimateIdOf: OpenEstimateToken
    /** The dependencies of deposit payments. */
    readonly context: PaymentContext
  }

/** Creates the route handlers of the estimate page, which a customer opens with a secret link. */
export const { actionHandler, pageHandler } = createLinkPages<EstimatePageContext, SentRevision>({
  name: 'estimate',
  root: '/estimate',
  idOf: ({ estimateIdOf }, token) => estimateIdOf(token),
  read: ({ database }, id) =>
    database.transaction(asServer, (query) => readSentRevision(query, id)),
})
