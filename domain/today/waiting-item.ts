/** What a line of the start page leads to. */
export type WaitingTarget =
  | { readonly kind: 'booking'; readonly id: string; readonly date: string }
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'quote' | 'task' | 'invoice'; readonly id: string }
  | { readonly kind: 'outbox' }

/** Somebody who waits, in words. */
export type WaitingItem = {
  readonly key: string
  readonly about: 'bay' | 'quote' | 'email' | 'date' | 'customer' | 'vehicle' | 'invoice'
  readonly title: string
  readonly detail: string
  /** How long, or until when. */
  readonly wait: string
  /** Late, failed, or waiting in person. */
  readonly isUrgent: boolean
  readonly target: WaitingTarget
}

/** When it is at the shop. */
export type WaitingClock = {
  /** yyyy-MM-dd */
  readonly today: string
  readonly instant: Date
}
