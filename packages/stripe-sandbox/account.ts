/** The settings of the Stripe account that the sandbox represents. */
export type Account = {
  /** Business name: shown on the hosted pages and as `account_name` of invoices. */
  readonly businessName: string
  /** Support address in one line, shown in the footer of the hosted pages. */
  readonly supportAddress: string
  /** The text that a cardholder reads on the bank statement, at most 22 characters. */
  readonly statementDescriptor: string
  /** Begins the numbers that the sandbox assigns to invoices: `ACME` results in `ACME-0001`. */
  readonly invoicePrefix: string
  /** Name from the IANA time zone database. Hosted pages show dates of this zone. */
  readonly timeZone: string
  /** The look of the hosted pages. */
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

/** Returns the account's settings at the time of the call. They may change while the sandbox runs. */
export type CurrentAccount = () => Account
