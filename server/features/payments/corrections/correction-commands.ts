import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import {
  type CorrectedInvoice,
  writeCancelNotice,
  writeRefundNotice,
  writeVoidNotice,
} from '#emails/payments/correction-notices.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { type Query, rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { Refusal } from '#server/platform/http/serve-endpoint.ts'
import { readRefunds, wayOf } from './refund-lines.ts'
import { closePaymentPages } from '../counter/close-payment-pages.ts'
import type { PaymentContext } from '../payment-context.ts'

/**
 * The recipient of an email about a corrected invoice, as the database function returns it; `email` is null if the
 * customer has no email address.
 */
type Recipient = Omit<CorrectedInvoice, 'email'> & { readonly email: string | null }
type Balance = { readonly balanceCents: number }

/** Closes the customer's open payment page. Refuses when the customer paid on that page in the meantime. */
async function withoutPaymentPage(
  context: PaymentContext,
  invoiceId: string,
): Promise<Result<undefined, Refusal>> {
  const pages = await closePaymentPages(context, invoiceId)
  return pages === 'paid' ? refused({ code: 'PAID_ONLINE' }) : accepted(undefined)
}

async function notify(
  query: Query,
  customer: Recipient,
  isWanted: boolean,
  write: (invoice: CorrectedInvoice) => ShopEmail,
): Promise<void> {
  const { email } = customer
  if (isWanted && email !== null) await queueEmail(query, write({ ...customer, email }))
}

function only<Row extends object>(rows: readonly { readonly result: Row }[]): Row {
  const [row] = rows
  if (!row) throw new Error('A database function for a payment correction returned no row')
  return row.result
}

/** Lowers the balance of an open invoice with a credit note. */
export const correctPriceCommand = (context: PaymentContext) =>
  defineCommand(invoiceCommands.correctPrice, {
    prepare: ({ invoiceId }) => withoutPaymentPage(context, invoiceId),
    async asStaff(query, { invoiceId, amountCents, reason }) {
      const rows = await query('select public.correct_invoice_price($1, $2, $3) as result', [
        invoiceId,
        amountCents,
        reason,
      ])
      return accepted(only(rowsAs<{ result: Balance }>(rows)))
    },
    asServer: (_query, _input, corrected) => Promise.resolve(accepted(corrected)),
  })

type Refunded = {
  readonly refundCents: number
  readonly taxCents: number
  readonly creditNoteId: string
  readonly customer: Recipient
}

/** Refunds one payment of a paid invoice, in part or in full. */
export const refundCommand = (context: PaymentContext) =>
  defineCommand(invoiceCommands.refund, {
    async asStaff(query, { paymentId, amountCents, partKeys, method, reference, reason }) {
      const rows = await query('select internal.refund_payment($1, $2, $3, $4, $5, $6) as result', [
        paymentId,
        amountCents,
        partKeys,
        method,
        reference,
        reason,
      ])
      return accepted(only(rowsAs<{ result: Refunded }>(rows)))
    },
    async asServer(query, { reason, notifies }, refund) {
      const { creditNoteId: id, refundCents: cents, taxCents, customer } = refund
      const [line] = await readRefunds(query, id)
      if (!line) throw new Error('The ledger has no line for the refund that was just recorded')
      await notify(query, customer, notifies, (invoice) =>
        writeRefundNotice(context.currentShop(), invoice, { id, cents, reason, way: wayOf(line) }),
      )
      return accepted({ refundId: line.id, refundCents: cents, taxCents })
    },
  })

/** Voids an invoice that was never paid. */
export const voidCommand = (context: PaymentContext) =>
  defineCommand(invoiceCommands.void, {
    prepare: ({ invoiceId }) => withoutPaymentPage(context, invoiceId),
    async asStaff(query, { invoiceId, reason }) {
      const rows = await query('select public.void_invoice($1, $2) as result', [invoiceId, reason])
      return accepted(only(rowsAs<{ result: Balance & { customer: Recipient } }>(rows)))
    },
    async asServer(query, { reason, notifies }, { customer, balanceCents }) {
      await notify(query, customer, notifies, (invoice) =>
        writeVoidNotice(context.currentShop(), invoice, reason),
      )
      return accepted({ balanceCents })
    },
  })

/** Cancels an invoice: credits its remaining total and refunds all payments. */
export const cancelCommand = (context: PaymentContext) =>
  defineCommand(invoiceCommands.cancel, {
    prepare: ({ invoiceId }) => withoutPaymentPage(context, invoiceId),
    async asStaff(query, { invoiceId, reason }) {
      const rows = await query('select internal.cancel_invoice($1, $2) as result', [
        invoiceId,
        reason,
      ])
      return accepted(only(rowsAs<{ result: Omit<Refunded, 'taxCents'> }>(rows)))
    },
    async asServer(
      query,
      { reason, notifies },
      { creditNoteId: id, refundCents: cents, customer },
    ) {
      const [line, ...others] = await readRefunds(query, id)
      const way = line && others.length === 0 ? wayOf(line) : undefined
      await notify(query, customer, notifies, (invoice) =>
        cents === 0
          ? writeCancelNotice(context.currentShop(), invoice, reason)
          : writeRefundNotice(context.currentShop(), invoice, { id, cents, reason, way }),
      )
      return accepted({ refundCents: cents })
    },
  })

/**
 * Corrects a wrongly recorded payment at the counter: reverses the payment and records the correct one, on the same or
 * another invoice.
 */
export const correctPaymentCommand = (context: PaymentContext) =>
  defineCommand(invoiceCommands.correctPayment, {
    prepare: ({ invoiceId }) => withoutPaymentPage(context, invoiceId),
    async asStaff(query, { paymentId, invoiceId, method, amountCents, reference, reason }) {
      const rows = await query('select public.correct_payment($1, $2, $3, $4, $5, $6) as result', [
        paymentId,
        invoiceId,
        method,
        amountCents,
        reference,
        reason,
      ])
      return accepted(only(rowsAs<{ result: Balance }>(rows)))
    },
    asServer: (_query, _input, corrected) => Promise.resolve(accepted(corrected)),
  })

/** Reverses a check payment that the bank returned unpaid. */
export const returnCheckCommand = defineCommand(invoiceCommands.returnCheck, {
  async asStaff(query, { paymentId, reason }) {
    const rows = await query('select public.return_check($1, $2) as result', [paymentId, reason])
    return accepted(only(rowsAs<{ result: Balance }>(rows)))
  },
  asServer: (_query, _input, corrected) => Promise.resolve(accepted(corrected)),
})

/** Retries a failed refund, with the same or another refund method. */
export const retryRefundCommand = defineCommand(invoiceCommands.retryRefund, {
  async asStaff(query, { refundId, method, reference }) {
    const rows = await query('select internal.retry_refund($1, $2, $3) as result', [
      refundId,
      method,
      reference,
    ])
    return accepted(only(rowsAs<{ result: { readonly refundCents: number } }>(rows)))
  },
  asServer: (_query, _input, refund) => Promise.resolve(accepted(refund)),
})

/** Writes off an invoice, which then no longer counts as outstanding. */
export const writeOffCommand = defineCommand(invoiceCommands.writeOff, {
  async asStaff(query, { invoiceId, reason }) {
    const rows = await query('select public.write_off_invoice($1, $2) as result', [
      invoiceId,
      reason,
    ])
    return accepted(only(rowsAs<{ result: Balance }>(rows)))
  },
  asServer: (_query, _input, corrected) => Promise.resolve(accepted(corrected)),
})
