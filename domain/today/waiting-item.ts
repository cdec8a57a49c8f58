/** The page to which a line of the page Today links. */
export type WaitingTarget =
  | { readonly kind: 'booking'; readonly id: string; readonly date: string }
  | { readonly kind: 'day' | 'day_close'; readonly date: string }
  | { readonly kind: 'quote' | 'task' | 'invoice' | 'estimate'; readonly id: string }
  | { readonly kind: 'outbox' }

/** A line on the page Today about a customer or a record that needs an action. */
export type WaitingItem = {
  readonly key: string
  readonly about: 'bay' | 'quote' | 'email' | 'date' | 'customer' | 'vehicle' | 'invoice' | 'drawer'
  readonly title: string
  readonly detail: string
  /** The waiting time, the date or the status of the record, as short text: '18 min', 'Thu', 'failed'. */
  readonly wait: string
  /**
   * Whether the line is highlighted, because the record is late, has failed, or belongs to a customer at the counter.
   */
  readonly isUrgent: boolean
  readonly target: WaitingTarget
}

/** The current date and time at the shop. */
export type WaitingClock = {
  /** Today's date at the shop: yyyy-MM-dd. */
  readonly today: string
  readonly instant: Date
}
