/** Initial values of a new invoice, copied from another record such as a quote request. */
export type InvoicePrefill = {
  readonly name: string
  readonly email: string
  readonly phone: string
  /** The description of the invoice's first line. */
  readonly description: string
  readonly memo: string
}
