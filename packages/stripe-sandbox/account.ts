/** The settings of the Stripe account that the sandbox simulates. */
export type Account = {
  /** The business name, which the hosted pages show and invoices contain as `account_name`. */
  readonly businessName: string
  /** The postal address of customer support, in one line, for the footer of the hosted pages. */
  readonly supportAddress: string
  /** The text that a cardholder reads on the bank statement, at most 22 characters. */
  readonly statementDescriptor: string
  /** The prefix of the invoice numbers that the sandbox assigns: with `ACME` the first number is `ACME-0001`. */
  readonly invoicePrefix: string
  /** A name of the IANA time zone database. The hosted pages show dates in this time zone. */
  readonly timeZone: string
  /** The branding of the hosted pages. */
  readonly branding?: Branding
}

export type Branding = {
  /** The icon of the browser tab, as an SVG file. */
  readonly icon: string
  /**
   * The logo in the page header, as an `<svg>` element. The sandbox inserts it unescaped. The logo can use the
   * custom properties of `pages/theme.css`, such as `--ink`, and follows dark mode with them.
   */
  readonly logo: string
  /** A WOFF2 file of a variable font with weights of 400 to 800 and widths of 100% to 125%. */
  readonly font: Uint8Array
}

/** Returns the account's settings at the time of the call; the settings may change while the sandbox runs. */
export type CurrentAccount = () => Account
