import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'

/** What recording a customer's decision works with. */
export type DecisionContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  /** Where letters to the owner go; the shop's address for bookings without one. */
  readonly ownerEmail: string | undefined
}

/** The estimate after the decision; 'unchanged' was decided before. */
export type Done = {
  readonly kind: 'done'
  readonly change: 'approved' | 'declined' | 'unchanged'
  readonly sentRevision: SentRevision
}
