import type Stripe from 'stripe'
import type { ErrorCode } from '#contracts/api/errors.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { callStripe, type StripeRefusal } from '#server/features/payments/call-stripe.ts'
import { readInvoiceLedger } from '../records/read-invoice-ledger.ts'
import { findInvoices } from './find-invoices.ts'
import type { InvoiceLookup } from './read-lookup.ts'

const codes = {
  missing: 'NOT_FOUND',
  unauthorized: 'UNAUTHORIZED',
  otherwise: 'STRIPE_ERROR',
} as const

type Shop = { readonly stripe: Stripe; readonly database: Database }

/** An invoice that can be paid on the site. `dueCents` is the unpaid amount according to the shop's ledger. */
export type PayableInvoice = { readonly invoice: Stripe.Invoice; readonly dueCents: number }

export type LookupResult = Result<PayableInvoice, StripeRefusal>

/** Returns the invoice with this number if it can be paid on the site (docs/product.md 8.1). */
export function lookupInvoice(shop: Shop, lookup: InvoiceLookup): Promise<LookupResult> {
  return callStripe(codes, async () => {
    const [invoice, ...others] = await findInvoices(shop, lookup)
    if (!invoice) return refused({ code: 'NOT_FOUND' })
    if (others.length > 0) return refused({ code: 'AMBIGUOUS' })
    const code = whyNotPayable(invoice)
    if (code) return refused({ code })
    // A payment at the counter or a void is in the shop's ledger before it is reported to Stripe, so the lookup also
    // checks the ledger.
    const ledger = await readInvoiceLedger(shop.database, invoice.id)
    if (ledger?.isVoid) return refused({ code: 'NO_PAY_URL' })
    const dueCents = Math.min(invoice.amount_remaining, ledger?.balanceCents ?? Infinity)
    return dueCents === 0 ? refused({ code: 'ALREADY_PAID' }) : accepted({ invoice, dueCents })
  })
}

function whyNotPayable(invoice: Stripe.Invoice): ErrorCode | undefined {
  if (invoice.status === 'draft' || invoice.status === null) return 'NOT_FINALIZED'
  if (invoice.status === 'paid') return 'ALREADY_PAID'
  return invoice.status === 'open' && invoice.hosted_invoice_url ? undefined : 'NO_PAY_URL'
}
