import * as z from 'zod/mini'

/*
 * The server functions (docs/product.md 7.3): `/functions/v1/<name>`, called with
 * `supabase.functions.invoke(name, { body })`. A refusal has a status of 400 or above and its reason in `error`.
 */

/** The longest request body that a function accepts, in bytes. */
export const functionBodyBytes = 64 * 1024

const text = (maxLength: number) => z.string().check(z.maxLength(maxLength))
const optionalText = (maxLength: number) => z.nullish(text(maxLength))

const bookingConfirmation = z.strictObject({
  type: z.literal('booking'),
  customerName: text(200),
  customerEmail: text(254),
  details: z.strictObject({
    serviceName: text(200),
    /** 'Saturday, November 28, 2026' */
    date: text(60),
    /** '1:30 PM' */
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
    /** '2019 Subaru Outback' or 'Not specified' */
    vehicle: text(200),
    /** The label of the service type, or 'Not specified'. */
    serviceType: optionalText(60),
    description: text(5000),
    phone: optionalText(40),
  }),
})

/** send-confirmation-email: the id of a new booking or quote request. The content of the email comes from its row. */
export const confirmationEmailRequest = z.discriminatedUnion('type', [
  bookingConfirmation,
  quoteConfirmation,
])
export type ConfirmationEmailRequest = z.infer<typeof confirmationEmailRequest>

/**
 * `confirmBy` (ISO 8601): the booking looks automated and is held until then unless its email is confirmed; with
 * `error`, that email could not be sent. `visitUrl`: the visit page of a confirmed booking, for the browser that booked
 * it, also with an `error`.
 */
export type ConfirmationEmailResponse =
  | { readonly success: true; readonly confirmBy?: string; readonly visitUrl?: string }
  | { readonly error: string; readonly confirmBy?: string; readonly visitUrl?: string }

/** send-quote-email: staff's reply to a quote request. */
export const quoteEmailRequest = z.strictObject({
  quoteRequestId: z.uuid(),
  /** Must be the address of the quote request; any other address is refused. */
  recipientEmail: text(254),
  recipientName: text(200),
  subject: text(250),
  originalDraft: text(20_000),
  polishedDraft: z.nullish(text(20_000)),
  /** The text of the email. */
  finalBody: text(20_000),
  vehicleInfo: text(300),
})
export type QuoteEmailRequest = z.infer<typeof quoteEmailRequest>

export type QuoteEmailResponse =
  | { readonly success: true }
  | { readonly success: false; readonly error: string }

/** Every function by name with its request and response. These are types only, so that pages load no schema. */
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
