import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'
import { counterMethod, ledgerTextLimits } from './counter-commands.ts'

/** A reason that the customer reads: one line. */
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const optionalReference = z.nullable(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(ledgerTextLimits.reference)),
)
const cents = z.int().check(z.minimum(1), z.maximum(99_999_999))

/** The balance after a change of an invoice, in US cents. */
const changedInvoice = z.object({ balanceCents: z.int() })

/**
 * Commands that correct an invoice or give money back (docs/product.md 17.5). Refusals of the database have a hint of
 * TT103 in `contracts/payments/ledger-errors.ts`.
 */
export const invoiceCommands = {
  /** Lowers the balance of an open invoice by a credit note; no money moves. */
  correctPrice: command(
    'correct-invoice-price',
    z.object({ invoiceId, amountCents: cents, reason }),
    changedInvoice,
  ),
  /**
   * Returns a part or all of one payment of a paid invoice, with a credit note of the same sum: all, what chosen jobs or
   * lines cost, or another sum.
   */
  refund: command(
    'refund-payment',
    z.object({
      paymentId: z.uuid(),
      /** At most what the payment has left; with parts, what staff saw that they have left. */
      amountCents: cents,
      /** The keys of the chosen jobs or lines; null for all of them. */
      partKeys: z.nullable(
        z
          .array(z.string().check(z.minLength(1), z.maxLength(40)))
          .check(z.minLength(1), z.maxLength(1000)),
      ),
      /** How the money goes back; null for the way it came. Another way needs a reference, such as 'Bank transfer'. */
      method: z.nullable(counterMethod),
      reference: optionalReference,
      reason,
      /** Whether the customer is notified by email. */
      notifies: z.boolean(),
    }),
    z.object({ refundId: z.uuid(), refundCents: z.int(), taxCents: z.int() }),
    { stepUp: true },
  ),
  /** Makes an invoice void that was never paid, in part or in full. Its estimate can be invoiced again. */
  void: command(
    'void-invoice',
    z.object({ invoiceId, reason, notifies: z.boolean() }),
    changedInvoice,
  ),
  /** Credits the whole total of an invoice; every payment goes back the way it came. */
  cancel: command(
    'cancel-invoice',
    z.object({ invoiceId, reason, notifies: z.boolean() }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /**
   * Replaces a payment that was recorded with the wrong invoice, method or amount by a reversal and a new line. The
   * result is the balance of the invoice on which it was recorded first.
   */
  correctPayment: command(
    'correct-payment',
    z.object({
      paymentId: z.uuid(),
      /** The invoice that the payment belongs to: the one on which it was recorded, or another one. */
      invoiceId,
      method: counterMethod,
      amountCents: cents,
      reference: optionalReference,
      reason,
    }),
    changedInvoice,
  ),
  /**
   * Reverses a check that the bank did not pay. When Stripe counts it as paid, a replacement invoice over its sum is
   * made.
   */
  returnCheck: command('return-check', z.object({ paymentId: z.uuid(), reason }), changedInvoice),
  /** Gives a failed refund again, without a further credit note. */
  retryRefund: command(
    'retry-refund',
    z.object({
      refundId: z.uuid(),
      /** How the money goes back; null for the way it came. Another way needs a reference. */
      method: z.nullable(counterMethod),
      reference: optionalReference,
    }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /** Gives up on the balance: the invoice leaves the outstanding ones and can still be paid. */
  writeOff: command('write-off-invoice', z.object({ invoiceId, reason }), changedInvoice),
} as const
