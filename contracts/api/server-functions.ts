import * as z from 'zod/mini'

/*
 * The server functions (docs/product.md 7.3) at `/functions/v1/<name>`, which pages call with
 * `supabase.functions.invoke(name, { body })`. A refusal has a status of 400 or above and its reason in `error`.
 */

/** The maximum length of a request body of a server function, in bytes. */
export const functionBodyBytes = 64 * 1024

const text = (maxLength: number) => z.string().check(z.maxLength(maxLength))
const optionalText = (maxLength: number) => z.nullish(text(maxLength))

const bookingConfirmation = z.strictObject({
  type: z.literal('booking'),
  customerName: text(200),
  customerEmail: text(254),
  details: z.strictObject({
    serviceName: text(200),
    /** The date of the appointment: 'Saturday, November 28, 2026'. */
    date: text(60),
    /** The time of the appointment: '1:30 PM'. */
    time: text(20),
    notes: optionalText(2000),
    phone: optionalText(40),
    year: optionalText(20),
    vehicleMake: optionalText(60),
    vehicleModel: optionalText(60),
    vehicleColor: optionalText(40),
  }),
})

const quoteConfirmation = z.strictObject({
  type: z.literal('quote'),
  customerName: text(200),
  customerEmail: text(254),
  details: z.strictObject({
    /** The vehicle: '2019 Subaru Outback', or 'Not specified'. */
    vehicle: text(200),
    /** The label of the service type, or 'Not specified'. */
    serviceType: optionalText(60),
    description: text(5000),
    phone: optionalText(40),
  }),
})

/**
 * The request of send-confirmation-email: the fields of a new booking or quote request. With these fields, the server
 * finds the stored row from which it writes the email.
 */
export const confirmationEmailRequest = z.discriminatedUnion('type', [
  bookingConfirmation,
  quoteConfirmation,
])
export type ConfirmationEmailRequest = z.infer<typeof confirmationEmailRequest>

/**
 * The response of send-confirmation-email. `confirmBy` (ISO 8601) is set when the booking looks automated: the booking
 * expires at this time unless the customer confirms it by email. If `error` is also set, the server could not send the
 * email with the confirmation link. `visitUrl` is the URL of the visit page of a confirmed booking. The server sends
 * this URL only to the browser that created the booking, even together with an `error`.
 */
export type ConfirmationEmailResponse =
  | { readonly success: true; readonly confirmBy?: string; readonly visitUrl?: string }
  | { readonly error: string; readonly confirmBy?: string; readonly visitUrl?: string }

/** The request of send-quote-email: staff's reply to a quote request. */
export const quoteEmailRequest = z.strictObject({
  quoteRequestId: z.uuid(),
  /** The email address of the quote request; the server refuses any other address. */
  recipientEmail: text(254),
  recipientName: text(200),
  subject: text(250),
  originalDraft: text(20_000),
  polishedDraft: z.nullish(text(20_000)),
  /** The text that the server emails to the customer: the final version, after staff's edits. */
  finalBody: text(20_000),
  vehicleInfo: text(300),
})
export type QuoteEmailRequest = z.infer<typeof quoteEmailRequest>

export type QuoteEmailResponse =
  | { readonly success: true }
  | { readonly success: false; readonly error: string }

/**
 * The request and response types of every server function by name. The table has only types, so that pages load no
 * schema.
 */
export type ServerFunctions = {
  readonly 'send-confirmation-email': {
    readonly request: ConfirmationEmailRequest
    readonly response: ConfirmationEmailResponse
  }
  readonly 'send-quote-email': {
    readonly request: QuoteEmailRequest
    readonly response: QuoteEmailResponse
  }
}
