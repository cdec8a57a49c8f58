import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'
import { counterMethod, ledgerTextLimits } from './counter-commands.ts'

/** The reason for the command: one line of text, which the customer can read. */
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const optionalReference = z.nullable(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(ledgerTextLimits.reference)),
)
const cents = z.int().check(z.minimum(1), z.maximum(99_999_999))

/** The balance after a change of an invoice, in US cents. */
const changedInvoice = z.object({ balanceCents: z.int() })

/**
 * Commands that correct an invoice or refund a payment (docs/product.md 17.5). When the database refuses a command, it
 * raises the SQLSTATE TT103 with one of the hints in `contracts/payments/ledger-errors.ts`.
 */
export const invoiceCommands = {
  /** Lowers the balance of an open invoice by a credit note; no money moves. */
  correctPrice: command(
    'correct-invoice-price',
    z.object({ invoiceId, amountCents: cents, reason }),
    changedInvoice,
  ),
  /**
   * Refunds one payment of a paid invoice, fully or in part, and creates a credit note of the same amount. The amount
   * is the whole payment, the price of chosen jobs or lines, or another amount.
   */
  refund: command(
    'refund-payment',
    z.object({
      paymentId: z.uuid(),
      /**
       * The amount to refund: at most the part of the payment that was not refunded yet. If staff chose jobs or lines,
       * at most the unrefunded amount that the dashboard showed for these jobs or lines.
       */
      amountCents: cents,
      /** The keys of the chosen jobs or lines; null for all jobs and lines. */
      partKeys: z.nullable(
        z
          .array(z.string().check(z.minLength(1), z.maxLength(40)))
          .check(z.minLength(1), z.maxLength(1000)),
      ),
      /**
       * The method of the refund; null repeats the method of the payment. Any other method requires a reference, such
       * as 'Bank transfer'.
       */
      method: z.nullable(counterMethod),
      reference: optionalReference,
      reason,
      /** Whether the shop notifies the customer of the refund by email. */
      notifies: z.boolean(),
    }),
    z.object({ refundId: z.uuid(), refundCents: z.int(), taxCents: z.int() }),
    { stepUp: true },
  ),
  /** Voids an invoice of which nothing was ever paid. Staff can then invoice its estimate again. */
  void: command(
    'void-invoice',
    z.object({ invoiceId, reason, notifies: z.boolean() }),
    changedInvoice,
  ),
  /** Credits the whole total of an invoice and refunds every payment by its own method. */
  cancel: command(
    'cancel-invoice',
    z.object({ invoiceId, reason, notifies: z.boolean() }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /**
   * Corrects a payment whose invoice, method or amount was recorded wrongly: records a reversal and a new ledger line.
   * The result is the balance of the invoice on which staff originally recorded the payment.
   */
  correctPayment: command(
    'correct-payment',
    z.object({
      paymentId: z.uuid(),
      /** The correct invoice: the invoice on which the payment was recorded, or another invoice. */
      invoiceId,
      method: counterMethod,
      amountCents: cents,
      reference: optionalReference,
      reason,
    }),
    changedInvoice,
  ),
  /**
   * Cancels a payment by check, because the bank did not pay the check. If Stripe counts the check as paid, the server
   * creates a replacement invoice for the amount of the check.
   */
  returnCheck: command('return-check', z.object({ paymentId: z.uuid(), reason }), changedInvoice),
  /** Repeats a failed refund without creating another credit note. */
  retryRefund: command(
    'retry-refund',
    z.object({
      refundId: z.uuid(),
      /** The method of the refund; null repeats the method of the payment. Any other method requires a reference. */
      method: z.nullable(counterMethod),
      reference: optionalReference,
    }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /** Writes off the balance: the invoice is no longer listed as outstanding, but the customer can still pay it. */
  writeOff: command('write-off-invoice', z.object({ invoiceId, reason }), changedInvoice),
} as const
