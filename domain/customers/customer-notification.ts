type Customer = {
  /** The customer's email address; null when the customer left only a phone number. */
  readonly customer_email: string | null
  readonly customer_phone: string
}

/** The text of the badge on a booking whose customer was not notified of a change (docs/product.md 12.8). */
export function notificationText({ customer_email, customer_phone }: Customer): string {
  return customer_email === null ? `Call ${customer_phone}` : 'Customer not notified'
}
