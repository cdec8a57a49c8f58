import type Stripe from 'stripe'
import type { ErrorCode } from '#contracts/errors.ts'
import { invoiceNumberPattern } from '#contracts/invoice-lookup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '#server/platform/database.ts'
import { type StripeFailure, stripeFailure } from '#server/platform/stripe.ts'
import { findInvoicesByNumber } from './find-invoices-by-number.ts'

const codeOfFailure = {
  missing: 'NOT_FOUND',
  unauthorized: 'UNAUTHORIZED',
  refused: 'STRIPE_ERROR',
  unavailable: 'STRIPE_ERROR',
} as const satisfies Record<StripeFailure, ErrorCode>

type Shop = { readonly stripe: Stripe; readonly database: Database }

/** The invoice of that number, if it can be paid here (specification, section 8). */
export async function lookupInvoice(
  shop: Shop,
  typedNumber: string,
): Promise<Result<Stripe.Invoice, { code: ErrorCode; cause?: unknown }>> {
  const number = typedNumber.trim()
  if (!invoiceNumberPattern.test(number)) return refused({ code: 'INVALID_INPUT' })
  try {
    const [invoice, ...others] = await findInvoicesByNumber(shop, number)
    if (!invoice) return refused({ code: 'NOT_FOUND' })
    if (others.length > 0) return refused({ code: 'AMBIGUOUS' })
    const code = whyNotPayable(invoice)
    return code ? refused({ code }) : accepted(invoice)
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    return refused({ code: codeOfFailure[failure], cause: error })
  }
}

function whyNotPayable(invoice: Stripe.Invoice): ErrorCode | undefined {
  if (invoice.status === 'draft' || invoice.status === null) return 'NOT_FINALIZED'
  if (invoice.status === 'paid') return 'ALREADY_PAID'
  return invoice.status === 'open' && invoice.hosted_invoice_url ? undefined : 'NO_PAY_URL'
}
