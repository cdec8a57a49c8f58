type Customer = {
  /** Null where only the phone is left. */
  readonly customer_email: string | null
  readonly customer_phone: string
}

/** What is to be done about a customer who has not heard of a change (docs/product.md 12.8): the words of the badge. */
export function notificationText({ customer_email, customer_phone }: Customer): string {
  return customer_email === null ? `Call ${customer_phone}` : 'Customer not notified'
}
