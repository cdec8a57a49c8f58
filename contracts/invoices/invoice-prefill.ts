/** Values that a new invoice takes over from another record, for example from a quote request. */
export type InvoicePrefill = {
  readonly name: string
  readonly email: string
  readonly phone: string
  /** The description of the first line. */
  readonly description: string
  readonly memo: string
}
