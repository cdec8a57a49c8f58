import type Stripe from 'stripe'
import { estimateName } from '#domain/estimates/estimate-title.ts'
import { billedLines } from '#domain/invoices/billed-lines.ts'
import { defaultDueDays } from '#domain/invoices/invoice-lines.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Database } from '@local/postgres'
import { callStripe, type StripeRefusal } from '#server/features/payments/call-stripe.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { createInvoice, type InvoiceToMake } from '../create-invoice.ts'
import {
  claimEstimateInvoice,
  type ClaimRequest,
  type EstimateClaim,
  listStaleClaims,
  recordClaimState,
  readClaim,
} from './estimate-claims.ts'

type Shop = {
  readonly stripe: Stripe
  readonly database: Database
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Creates the invoice for the approved jobs of an estimate in three steps: stores a claim (the content of the
 * invoice) in the database, creates the invoice in Stripe, and records the result. After a crash between these
 * steps, a repeated request or `billClaimed` continues with the same invoice.
 */
export async function billEstimate(
  shop: Shop,
  request: ClaimRequest,
): Promise<Result<Stripe.Invoice, Refusal>> {
  const claimed = await claimEstimateInvoice(shop.database, request)
  if (!claimed.ok) return claimed
  const made = await makeClaimed(shop, claimed.value)
  // The invoice was voided in Stripe, but no webhook event reported that. The void is recorded now, so that the next
  // request can bill the estimate again.
  return made.ok && made.value.status === 'void' ? refused({ code: 'ESTIMATE_CHANGED' }) : made
}

/**
 * Completes the claims (stored contents of invoices) of interrupted processes: creates and records their invoices.
 * Returns the number of created invoices. The failure of one claim does not stop the others.
 */
export async function billClaimed(
  shop: Shop,
  onFailure: (requestId: string, error: unknown) => void,
  olderThanSeconds = 60,
): Promise<number> {
  let made = 0
  for (const requestId of await listStaleClaims(shop.database, olderThanSeconds)) {
    try {
      const claim = await readClaim(shop.database, requestId)
      if (claim && (await makeClaimed(shop, claim)).ok) made += 1
    } catch (error) {
      onFailure(requestId, error)
    }
  }
  return made
}

async function makeClaimed(
  shop: Shop,
  claim: EstimateClaim,
): Promise<Result<Stripe.Invoice, StripeRefusal>> {
  const { database } = shop
  const made = await callStripe(
    { unavailable: 'INVOICE_PENDING', otherwise: 'INVOICE_NOT_CREATED' },
    () => requestInvoice(shop, claim),
  )
  if (!made.ok) {
    // A repeated request would fail in the same way. The claim (the stored content of the invoice) is therefore marked
    // as failed, so that the estimate can be billed with a new claim.
    if (made.refusal.code !== 'INVOICE_PENDING')
      await recordClaimState(database, claim.requestId, 'failed')
    return made
  }
  await recordClaimState(database, claim.requestId, 'made', made.value)
  if (made.value.status === 'void') await recordClaimState(database, claim.requestId, 'voided')
  return made
}

async function requestInvoice(
  shop: Shop,
  claim: EstimateClaim,
): Promise<Result<Stripe.Invoice, StripeRefusal>> {
  if (claim.invoiceId === null) return createInvoice(shop, toOrder(claim), claim.requestId)
  return accepted(await shop.stripe.invoices.retrieve(claim.invoiceId))
}

function toOrder(claim: EstimateClaim): InvoiceToMake {
  const { customer, vehicle, taxRate, totalCents, taxCents } = claim
  const vehicleLabel = [vehicle.year, vehicle.make, vehicle.model]
    .filter((word) => word !== '')
    .join(' ')
  return {
    customer,
    billed: billedLines(claim.jobs, taxRate),
    taxRate,
    totalCents,
    taxCents,
    memo: [`${estimateName(claim.kind)} ${claim.number}`, vehicleLabel]
      .filter((part) => part !== '')
      .join(', '),
    dueDays: defaultDueDays,
    isResumed: true,
  }
}
