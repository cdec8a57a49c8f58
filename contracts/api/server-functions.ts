import * as z from 'zod/mini'

/*
 * The server functions (docs/product.md 7.3): `/functions/v1/<name>`, called with
 * `supabase.functions.invoke(name, { body })`. A refusal has a status of 400 and up and says why in `error`.
 */

/** Longest body that a function reads, in bytes. */
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

/** send-confirmation-email: names a fresh booking or quote request; what is sent comes from its row. */
export const confirmationEmailRequest = z.discriminatedUnion('type', [
  bookingConfirmation,
  quoteConfirmation,
])
export type ConfirmationEmailRequest = z.infer<typeof confirmationEmailRequest>

/**
 * `confirmBy` (ISO 8601): the booking looks automated and waits until then for a click in its e-mail; with
 * an error that e-mail could not be sent. `visitUrl`: the private page of one that stands, for the browser that booked
 * it, also with an error.
 */
export type ConfirmationEmailResponse =
  | { readonly success: true; readonly confirmBy?: string; readonly visitUrl?: string }
  | { readonly error: string; readonly confirmBy?: string; readonly visitUrl?: string }

/** send-quote-email: the admin's answer to a quote request. */
export const quoteEmailRequest = z.strictObject({
  quoteRequestId: z.uuid(),
  /** The address of the request itself; any other is refused. */
  recipientEmail: text(254),
  recipientName: text(200),
  subject: text(250),
  originalDraft: text(20_000),
  polishedDraft: z.nullish(text(20_000)),
  /** What is sent. */
  finalBody: text(20_000),
  vehicleInfo: text(300),
})
export type QuoteEmailRequest = z.infer<typeof quoteEmailRequest>

export type QuoteEmailResponse =
  | { readonly success: true }
  | { readonly success: false; readonly error: string }

/** Every function by its name, with what it takes and answers. Types only: a page that calls one loads no schema. */
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
