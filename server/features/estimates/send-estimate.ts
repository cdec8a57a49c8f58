import pg from 'pg'
import type { ErrorCode } from '#contracts/api/errors.ts'
import type { SentRevision, SavedEstimate } from '#contracts/estimates/estimates.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { isAtShop } from '#domain/bookings/vehicle-state-table.ts'
import { writeEstimate } from '#emails/estimates/estimate.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { readVisitPage } from '#server/features/visit-page/read-visit-page.ts'
import { findEstimatePath } from './estimate-tokens.ts'
import { readSentRevision } from './read-sent-revision.ts'

export type SendContext = {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly publicUrl: string
}

type SendRequest = {
  readonly estimateId: string
  readonly seenVersion: number
  /** The username of the team member who sends the estimate. */
  readonly byName: string
}

type Sent = { readonly saved: SavedEstimate; readonly emailId: string | null }

/**
 * Freezes the latest revision of an estimate, so that it can no longer change, and queues the email to the customer, in
 * one transaction. A repeated call for the same revision changes nothing.
 */
export async function sendEstimate(
  sending: SendContext,
  request: SendRequest,
): Promise<Result<Sent, Refusal>> {
  try {
    return accepted(
      await sending.database.transaction(asServer, (query) =>
        freezeAndMail(sending, query, request),
      ),
    )
  } catch (error) {
    if (error instanceof NotSent) return refused({ code: error.code })
    const code = error instanceof pg.DatabaseError ? refusals[error.code ?? ''] : undefined
    if (!code) throw error
    return refused({ code })
  }
}

const refusals: Readonly<Record<string, ErrorCode>> = {
  TT051: 'ESTIMATE_CHANGED',
  TT071: 'ESTIMATE_NOT_FOUND',
  TT074: 'ESTIMATE_NOT_READY',
}

/** Thrown to roll the transaction back when the email cannot be queued, so that the revision is not frozen. */
class NotSent extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

async function freezeAndMail(
  sending: SendContext,
  query: Query,
  request: SendRequest,
): Promise<Sent> {
  const frozen = await freeze(query, request, false)
  const sentRevision = await readSentRevision(query, request.estimateId)
  if (!sentRevision) throw new Error('The new sent revision of an estimate could not be read')
  if (sentRevision.state === 'expired') throw new NotSent('ESTIMATE_EXPIRED')
  if (sentRevision.state !== 'open') throw new NotSent('ESTIMATE_DECIDED')
  const emailId = await mail(sending, query, sentRevision)
  return { saved: emailId === null ? frozen : await freeze(query, request, true), emailId }
}

/**
 * Freezes the latest revision of an estimate. The first call, before the email is queued, has `isSent` false; the
 * second call, after the email with this revision was queued, has `isSent` true.
 */
async function freeze(
  query: Query,
  { estimateId, seenVersion, byName }: SendRequest,
  isSent: boolean,
) {
  const [row] = rowsAs<{ saved: SavedEstimate }>(
    await query('select internal.freeze_estimate($1, $2, $3, $4) as saved', [
      estimateId,
      seenVersion,
      isSent,
      byName,
    ]),
  )
  if (!row) throw new Error('internal.freeze_estimate returned no row')
  return row.saved
}

async function mail(
  { currentShop, publicUrl }: SendContext,
  query: Query,
  sentRevision: SentRevision,
): Promise<string | null> {
  const path = await findEstimatePath(query, sentRevision.estimateId)
  if (!path || sentRevision.customerEmail === '') return null
  const url = new URL(path, publicUrl).href
  const wasVehicleHere = await hasVehicleCome(query, sentRevision.bookingId)
  return queueEmail(query, writeEstimate(currentShop(), sentRevision, { url, wasVehicleHere }))
}

/** Whether the vehicle of the estimate's booking is or was at the shop; false for an estimate without a booking. */
async function hasVehicleCome(query: Query, bookingId: string | null): Promise<boolean> {
  const booking = bookingId === null ? undefined : await readVisitPage(query, bookingId)
  return booking !== undefined && (isAtShop(booking.state) || booking.state === 'picked_up')
}
