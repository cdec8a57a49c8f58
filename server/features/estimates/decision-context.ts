import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'

/** The dependencies of the functions that record a customer's decision about an estimate. */
export type DecisionContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  /** The recipient of notices to the owner; when undefined, the shop's email address for bookings. */
  readonly ownerEmail: string | undefined
}

/** The estimate after a decision was recorded; 'unchanged' when the same decision was recorded before. */
export type Done = {
  readonly kind: 'done'
  readonly change: 'approved' | 'declined' | 'unchanged'
  readonly sentRevision: SentRevision
}
