/**
 * The error codes of the invoice lookup with the messages that the lookup page shows (docs/product.md 8.1). For any
 * other code, this page shows the message of the server's response. This table is a separate file so that this page
 * does not load all other error messages.
 */
export const lookupErrors = {
  INVALID_INPUT: { status: 400, message: 'Please enter a valid invoice number.' },
  NOT_FOUND: { status: 404, message: 'Invoice not found.' },
  AMBIGUOUS: { status: 409, message: 'Multiple invoices match that number.' },
  UNAUTHORIZED: { status: 403, message: 'You are not authorized to view this invoice.' },
  NOT_FINALIZED: { status: 409, message: 'This invoice is not finalized yet.' },
  ALREADY_PAID: { status: 409, message: 'This invoice has already been paid.' },
  NO_PAY_URL: { status: 409, message: 'Payment link is not available.' },
  STRIPE_ERROR: {
    status: 502,
    message: 'Unable to retrieve the invoice from our card payment provider. Please try again.',
  },
  /** The server sends this code only when the shop's settings require the customer's email address for a lookup. */
  EMAIL_NEEDED: {
    status: 400,
    message: 'Please enter the email address that the invoice was sent to.',
  },
  /**
   * The server never sends this code. The browser uses the code when the server sends no response or a response that
   * the browser cannot parse.
   */
  NETWORK_ERROR: { status: 0, message: 'Network error, please try again.' },
} as const

/** The message for an error code of the invoice lookup; undefined for any other code. */
export function lookupMessage(code: unknown): string | undefined {
  return isLookupError(code) ? lookupErrors[code].message : undefined
}

const isLookupError = (code: unknown): code is keyof typeof lookupErrors =>
  typeof code === 'string' && Object.hasOwn(lookupErrors, code)
