import { accepted, refused, type Result } from '#domain/result.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { StripeRefusal } from '../call-stripe.ts'

type Reason = 'paused' | 'void' | 'paid'

const codes = { paused: 'PAYMENT_PROCESSING', void: 'NOT_PAYABLE', paid: 'ALREADY_PAID' } as const

type Opened = { readonly pageId: string; readonly balanceCents: number }

/**
 * Records that a payment page of an invoice is about to open, and returns the unpaid amount in the ledger. Refuses
 * while staff take a payment (PAYMENT_PROCESSING), after the invoice was paid at the counter (ALREADY_PAID), and
 * after the invoice was voided (NOT_PAYABLE).
 */
export async function openPaymentPage(
  database: Database,
  invoiceId: string,
  lifetimeSeconds: number,
): Promise<Result<Opened, StripeRefusal>> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ page: Opened | { readonly refused: Reason } }>(
      await query('select internal.open_payment_page($1, $2) as page', [
        invoiceId,
        lifetimeSeconds,
      ]),
    ),
  )
  if (!row) throw new Error('internal.open_payment_page returned no row')
  if ('pageId' in row.page) return accepted(row.page)
  return refused({ code: codes[row.page.refused] })
}

/** Deletes the record of a payment page that could not be opened. */
export async function deletePaymentPage(database: Database, pageId: string): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.payment_pages where id = $1', [pageId]),
  )
}

/**
 * Records the checkout session of the payment page `pageId`. If the session is already recorded for another payment
 * page, deletes the record of the page `pageId` instead.
 */
export async function recordSession(
  database: Database,
  pageId: string,
  sessionId: string,
): Promise<void> {
  await database.transaction(asServer, async (query) => {
    const known = await query('select from internal.payment_pages where session_id = $1', [
      sessionId,
    ])
    if (known.length > 0) {
      await query('delete from internal.payment_pages where id = $1', [pageId])
    } else {
      await query('update internal.payment_pages set session_id = $2 where id = $1', [
        pageId,
        sessionId,
      ])
    }
  })
}

/** Records that checkout sessions are no longer open. */
export async function recordClosedSessions(
  query: Query,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return
  await query(
    'update internal.payment_pages set closed_at = now() where session_id = any ($1) and closed_at is null',
    [sessionIds],
  )
}

/**
 * Whether an online payment may be attached to its invoice. Returns false when payments at the counter or corrections
 * have reduced the unpaid amount below the amount of the payment, which must then be refunded.
 */
export async function claimOnlinePayment(
  database: Database,
  invoiceId: string,
  payment: { readonly id: string; readonly amount_received: number },
): Promise<boolean> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select internal.claim_online_payment($1, $2, $3) as "isClaimed"', [
      invoiceId,
      payment.id,
      payment.amount_received,
    ]),
  )
  return row?.isClaimed === true
}
