import type Stripe from 'stripe'
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
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Makes the invoice of an estimate's approved jobs: claimed in the database, made at the processor, noted. Whoever dies
 * on the way is followed by a repetition or by `billClaimed`, to the same one invoice.
 */
export async function billEstimate(
  shop: Shop,
  request: ClaimRequest,
): Promise<Result<Stripe.Invoice, Refusal>> {
  const claimed = await claimEstimateInvoice(shop.database, request)
  if (!claimed.ok) return claimed
  const made = await makeClaimed(shop, claimed.value)
  // Voided where nobody told us of it: now it is noted, and whoever looks again may bill again.
  return made.ok && made.value.status === 'void' ? refused({ code: 'ESTIMATE_CHANGED' }) : made
}

/** Makes what was claimed and never noted. Returns how many; one that fails does not keep the others from it. */
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
    // What the processor refuses it refuses again: the estimate is free for another try.
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
    memo: [`Estimate ${claim.number}`, vehicleLabel].filter((part) => part !== '').join(', '),
    dueDays: defaultDueDays,
    isResumed: true,
  }
}
