import { DatabaseError } from 'pg'
import * as z from 'zod/mini'
import type { EstimateJob } from '#contracts/estimates/estimates.ts'
import type { ErrorCode } from '#contracts/api/errors.ts'
import type { EstimateKind } from '#domain/estimates/estimate-title.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** A job of a sent revision, which can no longer change, with the amounts that the database computed. */
type ClaimedJob = EstimateJob & { readonly taxCents: number; readonly totalCents: number }

/**
 * A claim: the content of the one invoice that an estimate may have. The claim is stored before the first request to
 * Stripe, so that a repeated request after a crash cannot create a second invoice.
 */
export type EstimateClaim = {
  /** The idempotency key of the Stripe requests that create the invoice. */
  readonly requestId: string
  readonly estimateId: string
  readonly kind: EstimateKind
  /** The number of the estimate, such as 'E-0101'. */
  readonly number: string
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly vehicle: {
    readonly year: string
    readonly make: string
    readonly model: string
    readonly plate: string
    readonly odometerMiles: number | null
  }
  /** The tax rate in ten-thousandths of a percent: 82500 is 8.25 %. */
  readonly taxRate: number
  readonly totalCents: number
  readonly taxCents: number
  readonly state: 'claimed' | 'made' | 'failed' | 'voided'
  /** The Stripe id of the invoice; null until the invoice is created and recorded. */
  readonly invoiceId: string | null
  readonly jobs: readonly ClaimedJob[]
}

type ClaimRefusal = { readonly code: ErrorCode; readonly message?: string }
export type ClaimRequest = {
  readonly estimateId: string
  readonly seenVersion: number
  /** The username of the team member who bills the estimate. */
  readonly byName: string
}

/**
 * Stores the claim (the content of the invoice) for the approved jobs of an estimate, or returns the existing claim. In
 * the same transaction, the database refuses amounts above the authorized amounts (docs/product.md 15.21).
 */
export async function claimEstimateInvoice(
  database: Database,
  { estimateId, seenVersion, byName }: ClaimRequest,
): Promise<Result<EstimateClaim, ClaimRefusal>> {
  try {
    return await database.transaction(asServer, async (query) => {
      const [row] = rowsAs<{ claim: EstimateClaim }>(
        await query('select internal.claim_estimate_invoice($1, $2, $3) as claim', [
          estimateId,
          seenVersion,
          byName,
        ]),
      )
      if (!row) throw new Error('internal.claim_estimate_invoice returned no claim')
      // Thrown to roll back the transaction, so that no claim (content of an invoice) is stored.
      if (row.claim.customer.email === '') throw new NoEmail()
      return accepted(row.claim)
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return refused(refusal)
  }
}

class NoEmail extends Error {}

const codes: Readonly<Record<string, ErrorCode>> = {
  TT051: 'ESTIMATE_CHANGED',
  TT071: 'ESTIMATE_NOT_FOUND',
  TT072: 'ABOVE_AUTHORIZED',
  TT074: 'ESTIMATE_NOT_READY',
  TT077: 'NOTHING_APPROVED',
}

/**
 * Converts a database error that refuses a claim (the stored content of an invoice) to an error code; undefined for
 * other errors.
 */
function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (error instanceof NoEmail) return { code: 'NO_EMAIL_FOR_INVOICE' }
  if (!(error instanceof DatabaseError)) return undefined
  const code = codes[error.code ?? '']
  if (!code) return undefined
  const message =
    error.hint === 'odometer_missing'
      ? odometerMissing
      : code === 'ABOVE_AUTHORIZED'
        ? refusalMessage(error)
        : undefined
  return message === undefined ? { code } : { code, message }
}

const odometerMissing = 'The odometer reading is missing. Enter the reading on the estimate first.'

function refusalMessage({ hint, detail = '' }: DatabaseError): string {
  if (hint === 'approval_void') return voidMessage(detail)
  return hint === 'scope_changed' ? scopeChangedMessage(detail) : aboveMessage(detail)
}

// The formats of the details in the database error TT072, one for each reason of the error (see
// supabase/schemas/66_authorizations.sql and 70_invoices.sql).
const aboveDetail = z.object({
  jobTitle: z.string(),
  wantedCents: z.int(),
  authorizedCents: z.int(),
})
const scopeDetail = z.object({ jobTitle: z.string() })
const voidDetail = z.object({
  jobTitle: z.string(),
  because: z.enum(['customer', 'vehicle', 'wrong_recipient']),
})

function aboveMessage(detail: string): string {
  const { jobTitle, wantedCents, authorizedCents } = aboveDetail.parse(JSON.parse(detail))
  const [wanted, authorized] = [formatCents(wantedCents), formatCents(authorizedCents)]
  return `${jobTitle}: the price is ${wanted}, but only ${authorized} was approved. Record an approval first.`
}

function scopeChangedMessage(detail: string): string {
  const { jobTitle } = scopeDetail.parse(JSON.parse(detail))
  return `${jobTitle}: the job changed after the customer approved it. Record a new approval first.`
}

function voidMessage(detail: string): string {
  const { jobTitle, because } = voidDetail.parse(JSON.parse(detail))
  const reason = {
    customer: 'by another customer',
    vehicle: 'for another vehicle',
    wrong_recipient: 'by a wrong recipient',
  }[because]
  return `${jobTitle} was approved ${reason}. Record a new approval first.`
}

/** Reads a claim (the content of an estimate's invoice) by its id. */
export async function readClaim(
  database: Database,
  requestId: string,
): Promise<EstimateClaim | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ claim: EstimateClaim | null }>(
      await query('select internal.read_estimate_invoice($1) as claim', [requestId]),
    ),
  )
  return row?.claim ?? undefined
}

/**
 * Records whether the invoice of a claim (the stored content of an invoice) was created or voided, or could not be
 * created. Does not overwrite an earlier result.
 */
export async function recordClaimState(
  database: Database,
  requestId: string,
  state: 'made' | 'failed' | 'voided',
  invoice?: { readonly id: string; readonly number: string | null },
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('select internal.record_estimate_invoice_state($1, $2, $3, $4) as is_news', [
      requestId,
      state,
      invoice?.id ?? null,
      invoice?.number ?? null,
    ]),
  )
}

/**
 * Ends the claim (the stored content of the invoice) of a voided invoice, so that its estimate can be billed again.
 * Does nothing for an invoice without an estimate.
 */
export async function releaseVoidedClaim(database: Database, invoiceId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `select internal.record_estimate_invoice_state(id, 'voided') as is_news
       from public.estimate_invoices where invoice_id = $1`,
      [invoiceId],
    ),
  )
}

/**
 * Lists the claims (stored contents of invoices) without a recorded result, oldest first. The process that stored such
 * a claim was probably interrupted.
 */
export async function listStaleClaims(
  database: Database,
  olderThanSeconds: number,
): Promise<string[]> {
  const rows = await database.transaction(asServer, async (query) =>
    rowsAs<{ id: string }>(
      await query('select internal.list_stale_invoice_claims($1) as id', [olderThanSeconds]),
    ),
  )
  return rows.map(({ id }) => id)
}
