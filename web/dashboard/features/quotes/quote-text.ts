import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { quoteServiceLabel } from '#domain/quotes/quote-form.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'

/** Explanations of the spam flags (supabase/schemas/45_holds.sql: `flag_suspicious_form`). */
const reasons: Readonly<Record<string, string>> = {
  hidden_field_filled: 'A form field that people cannot see was filled in.',
  form_token_missing: 'The request was sent without opening the form.',
  form_token_invalid: 'The form was not from this site or was open for more than a day.',
  form_token_reused: 'The same form was sent more than once.',
  sent_too_fast: 'The form was sent within three seconds of opening.',
}

export function flagReasonText(reason: string): string {
  return reasons[reason] ?? reason
}

/** Service and vehicle: 'Transmission Service: 2015 Honda Accord'. Without a service only the vehicle. */
function workTitle(quote: QuoteRequest): string {
  const vehicle = vehicleText(quote)
  return quote.service_type ? `${quoteServiceLabel(quote.service_type)}: ${vehicle}` : vehicle
}

/** The title and description of a task for a quote request, including the customer's contact details. */
export function taskFromQuote(quote: QuoteRequest): { title: string; description: string } {
  const customer = [quote.name, quote.phone, quote.email].filter(Boolean).join(', ')
  return {
    title: workTitle(quote).slice(0, 200),
    description: `${customer}\n\n${quote.description}`.slice(0, 5000),
  }
}

/** @param email The customer's confirmed email address, or '' so that the admin enters one. */
export function invoiceFromQuote(quote: QuoteRequest, email: string): InvoicePrefill {
  return {
    name: quote.name,
    email,
    phone: quote.phone ?? '',
    description: workTitle(quote),
    memo: '',
  }
}
