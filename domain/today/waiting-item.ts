/** The page that a line of Today links to. */
export type WaitingTarget =
  | { readonly kind: 'booking'; readonly id: string; readonly date: string }
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'quote' | 'task' | 'invoice'; readonly id: string }
  | { readonly kind: 'outbox' }

/** A line of Today about a waiting customer or record. */
export type WaitingItem = {
  readonly key: string
  readonly about: 'bay' | 'quote' | 'email' | 'date' | 'customer' | 'vehicle' | 'invoice'
  readonly title: string
  readonly detail: string
  /** How long it has been waiting, or the deadline. */
  readonly wait: string
  /** Whether it is late, failed, or about a customer at the counter. */
  readonly isUrgent: boolean
  readonly target: WaitingTarget
}

/** The current time at the shop. */
export type WaitingClock = {
  /** yyyy-MM-dd */
  readonly today: string
  readonly instant: Date
}
