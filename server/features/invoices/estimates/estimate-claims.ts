import { DatabaseError } from 'pg'
import type { EstimateJob } from '#contracts/estimates/estimates.ts'
import type { ErrorCode } from '#contracts/api/errors.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** A job as it was frozen, with what the database says that it comes to. */
type ClaimedJob = EstimateJob & { readonly taxCents: number; readonly totalCents: number }

/** What the one invoice of an estimate bills. Claimed before the processor is asked, so that no death makes two. */
export type EstimateClaim = {
  /** Names the wish at the processor. */
  readonly requestId: string
  readonly estimateId: string
  /** The estimate's: 'E-0101'. */
  readonly number: string
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly vehicle: {
    readonly year: string
    readonly make: string
    readonly model: string
    readonly plate: string
    readonly odometerMiles: number | null
  }
  /** In ten-thousandths of a percent. */
  readonly taxRate: number
  readonly totalCents: number
  readonly taxCents: number
  readonly state: 'claimed' | 'made' | 'failed' | 'voided'
  /** The processor's; null before it was noted. */
  readonly invoiceId: string | null
  readonly jobs: readonly ClaimedJob[]
}

type ClaimRefusal = { readonly code: ErrorCode; readonly message?: string }
export type ClaimRequest = {
  readonly estimateId: string
  readonly seenVersion: number
  /** The admin's username. */
  readonly byName: string
}

/**
 * Claims the invoice of an estimate's approved jobs; one that was claimed already is answered again. The database refuses
 * what is above the authorised amount, in the transaction of the claim (docs/product.md 15.21).
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
      if (!row) throw new Error('A claim was neither made nor refused')
      // Thrown, so that nothing is claimed.
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

/** Why the database refused; undefined for everything else. */
function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (error instanceof NoEmail) return { code: 'NO_EMAIL_FOR_INVOICE' }
  if (!(error instanceof DatabaseError)) return undefined
  const code = codes[error.code ?? '']
  if (!code) return undefined
  const message = code === 'ABOVE_AUTHORIZED' ? refusalMessage(error) : undefined
  return message === undefined ? { code } : { code, message }
}

function refusalMessage({ hint, detail = '' }: DatabaseError): string {
  if (hint === 'approval_void') return voidMessage(detail)
  return hint === 'scope_changed' ? scopeChangedMessage(detail) : aboveMessage(detail)
}

type Above = { jobTitle: string; wantedCents: number; authorizedCents: number }

function aboveMessage(detail: string): string {
  const { jobTitle, wantedCents, authorizedCents } = JSON.parse(detail) as Above
  const [wanted, authorized] = [formatCents(wantedCents), formatCents(authorizedCents)]
  return `${jobTitle}: ${wanted}, but ${authorized} was approved. Record an approval first.`
}

function scopeChangedMessage(detail: string): string {
  const { jobTitle } = JSON.parse(detail) as Pick<Above, 'jobTitle'>
  return `${jobTitle}: it was changed since it was approved. Record an approval first.`
}

function voidMessage(detail: string): string {
  const { jobTitle, because } = JSON.parse(detail) as {
    jobTitle: string
    because: 'customer' | 'vehicle' | 'wrong_recipient'
  }
  const reason = {
    customer: 'by another customer',
    vehicle: 'for another vehicle',
    wrong_recipient: 'by a wrong recipient',
  }[because]
  return `${jobTitle} was approved ${reason}. Record a new approval first.`
}

/** A claim by its id, whatever became of it. */
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

/** Notes what became of a claim; what was noted before stays. */
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

/** Frees the estimate of an invoice that was voided: another can be made. Nothing for an invoice of no estimate. */
export async function releaseVoidedClaim(database: Database, invoiceId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query(
      `select internal.record_estimate_invoice_state(id, 'voided') as is_news
       from public.estimate_invoices where invoice_id = $1`,
      [invoiceId],
    ),
  )
}

/** Claims whose maker seems to have died, oldest first. */
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
