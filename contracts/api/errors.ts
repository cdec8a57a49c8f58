import { lookupErrors } from '#contracts/invoices/lookup-errors.ts'

/**
 * The error codes of the product's endpoints (`/api/*`), each with its HTTP status and message. Other tables with error
 * messages take the type of their codes from this table, so that a missing code is a compile error.
 */
export const apiErrors = {
  ...lookupErrors,

  // Error codes for requests to start, record or verify a payment, and for payment events from Stripe.
  /** The default message, which staff read. Visitors get a message with the phone number of the shop instead. */
  PAYMENTS_NOT_SET_UP: {
    status: 409,
    message: 'Online payments are not set up.',
  },
  NOT_PAYABLE: {
    status: 409,
    message: 'This invoice can no longer be paid online. Please call us.',
  },
  PAID_ONLINE: {
    status: 409,
    message:
      'The customer has just paid online. This second payment was not recorded. Give the money back.',
  },
  PAYMENT_PROCESSING: {
    status: 409,
    message: 'A payment of this invoice is being processed. Please wait for its confirmation.',
  },
  CHECKOUT_UNAVAILABLE: {
    status: 502,
    message:
      'Our card payment provider could not be reached. Nothing was charged; please try again in a minute.',
  },
  PAYMENT_NOT_FOUND: { status: 404, message: 'We could not find this payment. Please call us.' },
  PAYMENT_PENDING: {
    status: 409,
    message:
      'This payment has not been completed. If you have just paid, please reload in a minute.',
  },
  PAYMENT_REFUNDED: {
    status: 409,
    message:
      'This invoice had already been paid, so this second payment is being refunded in full.',
  },
  VERIFICATION_UNAVAILABLE: {
    status: 502,
    message:
      'Our card payment provider could not be reached to verify the payment. Please reload in a minute.',
  },
  BAD_SIGNATURE: { status: 400, message: 'The signature of this webhook event is not valid.' },

  // Error codes for requests to create an invoice.
  MISSING_EMAIL: { status: 400, message: 'Customer email is required.' },
  NO_LINE_ITEMS: { status: 400, message: 'Please add at least one valid line item.' },
  INVALID_INVOICE: {
    status: 400,
    message: 'Please check the invoice: a value is too large or too small.',
  },
  INVOICE_NOT_CREATED: {
    status: 502,
    message:
      'The card payment provider did not accept the invoice. Nothing was sent. Check your entries.',
  },

  /** Stripe calculated a different total than the shop, and the shop deleted the draft invoice at Stripe. */
  TOTALS_DIFFER: {
    status: 502,
    message:
      'The card payment provider calculated a different total than the shop, so no invoice was created.',
  },

  // Error codes for requests to change a team member, or to read, change or erase a customer.
  TEAM_CHANGED: {
    status: 409,
    message:
      'Someone else changed this team member a moment ago. Check the list of team members before you continue.',
  },
  CUSTOMER_NOT_FOUND: { status: 404, message: 'This customer no longer exists.' },
  CUSTOMER_CHANGED: {
    status: 409,
    message: 'Someone else changed this customer. Check the current details and try again.',
  },
  CUSTOMER_HAS_OPEN_RECORDS: {
    status: 409,
    message:
      'This customer has an open appointment, estimate or invoice. Cancel or finish it before you erase the customer.',
  },

  // Error codes for requests to download files for the accountant.
  BAD_RANGE: {
    status: 400,
    message: 'These dates are not valid. Please choose other dates.',
  },
  INVOICES_UNREADABLE: {
    status: 502,
    message:
      'The invoices could not be read from our card payment provider. Please try again in a minute.',
  },

  // Error codes for requests to create the invoice of an estimate.
  ESTIMATE_NOT_FOUND: { status: 404, message: 'This estimate no longer exists.' },
  ESTIMATE_CHANGED: {
    status: 409,
    message: 'Someone else changed this estimate. Check the current version and try again.',
  },
  ESTIMATE_NOT_READY: {
    status: 409,
    message: 'This estimate is not ready yet. Please check the marked fields.',
  },
  NOTHING_APPROVED: {
    status: 409,
    message: 'The customer approved no job of this estimate. Record an approval first.',
  },
  /**
   * The default message. When a single job causes the refusal, the endpoint sends a message that names this job and
   * states its price and its approved amount, or why its approval no longer applies.
   */
  ABOVE_AUTHORIZED: {
    status: 409,
    message: 'The invoice bills more than the customer approved. Record another approval first.',
  },
  NO_EMAIL_FOR_INVOICE: {
    status: 409,
    message:
      'An invoice needs the customer’s email address. Add it with “Add email”. The customer’s approval stays valid.',
  },
  INVOICE_PENDING: {
    status: 502,
    message:
      'The card payment provider could not be reached. The invoice will be created automatically.',
  },

  // Error codes for sign-ins to the dashboard, with the messages of docs/product.md 8.5.
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid username or password' },
  SIGN_IN_UNAVAILABLE: {
    status: 502,
    message: 'The sign-in could not be checked. Please try again in a minute.',
  },

  // Error codes for requests that need step-up authentication (docs/product.md 6.8), and for requests for the step-up
  // authentication itself.
  STEP_UP_REQUIRED: { status: 403, message: 'First confirm that it is you.' },
  WRONG_PASSWORD: { status: 403, message: 'This password is wrong.' },
  WRONG_PASSKEY: { status: 403, message: 'This passkey was not accepted. Please try again.' },

  // Error codes for requests about the authenticator app (docs/product.md 6.13). SECOND_FACTOR is no error: the
  // password was right, and the sign-in now needs a code.
  SECOND_FACTOR: { status: 401, message: '' },
  WRONG_CODE: {
    status: 403,
    message: 'This code is wrong. Enter the next code of your authenticator app.',
  },
  SIGN_IN_EXPIRED: {
    status: 401,
    message: 'The sign-in took too long. Please enter your password again.',
  },
  CODE_APP_REQUIRED: { status: 403, message: 'Set up your authenticator app first.' },
  CODE_APP_ON: {
    status: 409,
    message:
      'Your authenticator app is already set up. Switch it off before you set up another one.',
  },
  CODE_APP_OFF: { status: 409, message: 'No authenticator app is set up. Set one up first.' },

  // Error codes for requests about passkeys and invitations (docs/product.md 6.9).
  PASSKEY_AGAIN: {
    status: 409,
    message: 'This passkey could not be confirmed. Please use it once more.',
  },
  PASSKEY_REFUSED: { status: 400, message: 'This passkey was not accepted. Please try again.' },
  INVITATION_INVALID: {
    status: 404,
    message: 'This invitation is not valid. Ask the owner for a new one.',
  },
  PASSKEYS_UNAVAILABLE: {
    status: 409,
    message: 'This site does not offer passkeys. Use your password.',
  },
  PASSKEY_NOT_FOUND: {
    status: 404,
    message: 'This passkey no longer exists. Reload the page to see your passkeys.',
  },
  LAST_WAY_IN: {
    status: 409,
    message: 'This is your only way to sign in. Add another passkey or a password first.',
  },

  // Error codes for requests with which team members change their own staff account. The server states the exact reason
  // for WEAK_PASSWORD.
  INVALID_NAME: { status: 400, message: 'Please enter a name of at most 80 characters.' },
  EMAIL_TAKEN: {
    status: 409,
    message: 'Another staff account has this email address. Enter a different one.',
  },
  WEAK_PASSWORD: { status: 400, message: 'This password is too weak. Please choose another one.' },

  // Error codes for requests from a shared tablet. The server sends a more precise message for WRONG_PIN.
  TABLET_REVOKED: {
    status: 401,
    message: 'This tablet was revoked. An owner can enroll it again.',
  },
  TABLET_LOCKED: {
    status: 423,
    message: 'Too many wrong PINs. An advisor or owner can unlock this tablet by signing in here.',
  },
  WRONG_PIN: { status: 403, message: 'This PIN is wrong.' },
  WEAK_PIN: {
    status: 400,
    message:
      'Please choose 4 to 6 digits that are not all the same and not a sequence such as 1234.',
  },

  // Error codes for requests about emails in the outbox, and about the settings of the mail server and of Stripe.
  EMAIL_NOT_FOUND: { status: 404, message: 'This email is no longer in the outbox.' },
  INVALID_ADDRESS: { status: 400, message: 'Please enter one email address.' },
  SET_BY_ENVIRONMENT: {
    status: 409,
    message:
      'An environment variable sets the mail server. Change the variable where the site runs.',
  },
  INVALID_MAIL_SERVER: {
    status: 400,
    message: 'Please check the host, the port, the user name and the sender.',
  },
  MAIL_PASSWORD_MISSING: { status: 400, message: 'Please enter the password of this mail server.' },
  OWN_EMAIL_MISSING: {
    status: 409,
    message: 'Enter your own email address in your profile first. The test message is sent there.',
  },
  INVALID_STRIPE_KEY: {
    status: 400,
    message: 'Please enter a secret key of Stripe. It begins with sk_ or rk_.',
  },
  EMAIL_BEING_SENT: {
    status: 409,
    message: 'This email is being sent right now. Please wait a minute.',
  },

  // Error codes for requests to add the sample week, a week of invented customers for trying out the dashboard.
  SHOP_IN_USE: {
    status: 409,
    message: 'The shop already has real records, so the sample week was not added.',
  },
  PAYMENTS_LIVE: {
    status: 409,
    message:
      'Card payments are live, so the sample week was not added. Add it in a shop whose payments are in test mode.',
  },

  // Error codes for requests to notify a customer about an appointment.
  BOOKING_NOT_FOUND: { status: 404, message: 'This appointment no longer exists.' },
  NO_EMAIL_ADDRESS: {
    status: 409,
    message: 'There is no email address for this appointment. Please call the customer.',
  },
  BOOKING_CHANGED: {
    status: 409,
    message: 'Someone else changed this appointment. Check the current version and try again.',
  },

  // Error codes for replies to a quote request.
  REPLY_EMPTY: { status: 400, message: 'The email needs a subject and a text.' },
  QUOTE_NOT_FOUND: { status: 404, message: 'This quote request no longer exists.' },
  WRONG_RECIPIENT: {
    status: 409,
    message: 'A reply can be sent only to the address of its quote request.',
  },
  NO_VALID_ADDRESS: {
    status: 422,
    message: 'This customer has no valid email address. Please call the customer.',
  },
  REPLY_NOT_SENT: {
    status: 502,
    message: 'The mail server did not accept the email. It was not sent.',
  },

  // Error codes with which the server can refuse any command of staff (contracts/commands/command.ts).
  COMMAND_ID_USED: {
    status: 409,
    message:
      'The server already saved another change with the same request id. Please reload the page.',
  },
  /** The field `cause` of the response body contains the database error. */
  REFUSED_BY_DATABASE: {
    status: 400,
    message: 'This change was refused, so nothing was saved.',
  },

  // Error codes for requests to send an estimate, in addition to the codes for requests to create its invoice.
  ESTIMATE_EXPIRED: {
    status: 409,
    message: "This estimate's expiration date has passed. Please choose a later date.",
  },
  ESTIMATE_DECIDED: {
    status: 409,
    message:
      'The customer has already decided on this estimate. Change the estimate before you send it again.',
  },

  // Error codes with which any endpoint can refuse a request.
  BAD_REQUEST: { status: 400, message: 'The request could not be read.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  DRILL_RUNNING: {
    status: 409,
    message: 'A restore drill is already running. Its result will appear here.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The request must be JSON (content-type: application/json).',
  },
  UNAUTHENTICATED: { status: 401, message: 'Please sign in.' },
  /** The role of the staff account does not allow the request. */
  NOT_ALLOWED: { status: 403, message: 'Your role does not allow this. Ask an owner.' },
  /** The request was sent by a page of another site. */
  CROSS_ORIGIN: { status: 403, message: 'This request did not come from our own pages.' },
  /**
   * The default message. When the server knows how long the client has to wait, it sends `rateLimitMessage` instead.
   */
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please try again later.' },
  LINK_EXPIRED: {
    status: 404,
    message: 'This link has expired. Please find the invoice again.',
  },
  /** The server is already processing or queueing the maximum number of requests. */
  BUSY: {
    status: 503,
    message: 'We are very busy at the moment. Please try again in a few seconds.',
  },
  /** The database is unreachable or restarting. */
  UNAVAILABLE: {
    status: 503,
    message: 'The site is not available right now. Please try again in a moment.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Please try again.',
  },
} as const satisfies Readonly<Record<string, { status: number; message: string }>>

export type ErrorCode = keyof typeof apiErrors

/** The JSON body of every refusal under `/api`. */
export type ErrorBody = { readonly ok: false; readonly code: string; readonly message: string }

/** The body of a refusal with an error code; `message` replaces the default message of the code. */
export function errorBody(code: ErrorCode, message: string = apiErrors[code].message): ErrorBody {
  return { ok: false, code, message }
}
