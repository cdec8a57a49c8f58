import type Stripe from 'stripe'
import { asServer } from '#server/platform/database/identities.ts'
import { closeInTime, type PaymentPages } from '../checkout/close-in-time.ts'
import { expireSession, sessionsOfInvoice } from '../checkout/invoice-sessions.ts'
import type { PaymentContext } from '../payment-context.ts'
import { withInvoiceLock } from '../settlement/invoice-lock.ts'
import { settleUnderLock } from '../settlement/settle-payment.ts'

/**
 * Closes the open payment pages of an invoice, and prevents new payment pages for a minute. Does not call Stripe if
 * the invoice has no open page.
 */
export async function closePaymentPages(
  context: PaymentContext,
  invoiceId: string,
): Promise<PaymentPages> {
  const isOpen = await context.database.transaction(asServer, async (query) => {
    const [row] = await query('select internal.pause_payment_pages($1) as "isOpen"', [invoiceId])
    return row?.isOpen === true
  })
  if (!isOpen) return 'none'
  const closing = withInvoiceLock(context.database, invoiceId, () => close(context, invoiceId))
  return closeInTime(context, closing, 'open payment pages could not be closed')
}

/** Permits new payment pages for the invoice again. */
export async function resumePaymentPages(
  { database }: PaymentContext,
  invoiceId: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('delete from internal.payment_page_pauses where invoice_id = $1', [invoiceId]),
  )
}

async function close(context: PaymentContext, invoiceId: string): Promise<PaymentPages> {
  const before = await countOnlinePayments(context, invoiceId)
  const invoice = await settleUnderLock(context, invoiceId)
  if (!(await expireOpenSessions(context.stripe, invoice))) {
    await settleUnderLock(context, invoiceId)
  }
  await context.database.transaction(asServer, (query) =>
    query(
      'update internal.payment_pages set closed_at = now() where invoice_id = $1 and closed_at is null',
      [invoiceId],
    ),
  )
  return (await countOnlinePayments(context, invoiceId)) > before ? 'paid' : 'closed'
}

/**
 * Expires the open checkout sessions of an invoice. Returns false when the customer completed one of these sessions in
 * the meantime; the payment then has to be settled.
 */
async function expireOpenSessions(stripe: Stripe, invoice: Stripe.Invoice): Promise<boolean> {
  let areAllExpired = true
  for (const session of await sessionsOfInvoice(stripe, invoice)) {
    if (session.status !== 'open') continue
    areAllExpired = (await expireSession(stripe, session.id)) && areAllExpired
  }
  return areAllExpired
}

async function countOnlinePayments(
  { database }: PaymentContext,
  invoiceId: string,
): Promise<number> {
  const rows = await database.transaction(asServer, (query) =>
    query(
      `select from public.payments where invoice_id = $1 and payment_intent_id is not null
         and internal.payment_outcome(payments) <> 'refunded'`,
      [invoiceId],
    ),
  )
  return rows.length
}
