import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'
import { invoiceId } from '#contracts/invoices/invoice-id.ts'

/** The methods of the payments that staff record. */
export const counterMethod = z.enum(['card_terminal', 'cash', 'check', 'other'])
export type CounterMethod = z.output<typeof counterMethod>

/** The maximum lengths of the texts of a ledger line; the database enforces the same limits. */
export const ledgerTextLimits = { reference: 60, note: 500 } as const

const optionalText = (maxLength: number) =>
  z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength)))

/** A recorded payment. Amounts are in US cents. */
const takenPayment = z.object({
  paymentId: z.uuid(),
  /** The received amount; with cash rounding, the rounded amount. */
  amountCents: z.int(),
  /** The cash that staff return to the customer as change. */
  changeCents: z.int(),
  /** The cents that cash rounding added to the paid amount: −2 to 2; 0 without rounding. */
  roundingCents: z.int(),
  /** The remaining balance of the invoice. */
  balanceCents: z.int(),
  /** The time of the payment: ISO 8601. */
  paidAt: z.string(),
  /**
   * The state of the customer's online payment page. none: no page was open. closed: the page was open and is closed
   * now. unknown: the payment provider did not respond; if the customer pays on the page in the next minutes, the
   * payment is refunded automatically.
   */
  paymentPage: z.enum(['none', 'closed', 'unknown']),
  /**
   * The email address to which the shop sends a receipt; null when staff requested no receipt or the customer has no
   * email address.
   */
  receiptEmail: z.nullable(z.string()),
  /** The id of the email with the receipt; null without `receiptEmail`. */
  receiptEmailId: z.nullable(z.string()),
})
export type TakenPayment = z.output<typeof takenPayment>

/**
 * Commands for payments at the counter (docs/product.md 17.3). When the database refuses a command, it raises the
 * SQLSTATE TT102 with one of the hints in `contracts/payments/ledger-errors.ts`.
 */
export const counterCommands = {
  /**
   * Records a payment of an open invoice. Closes the customer's open payment page first. If the customer has already
   * paid on that page, the server refuses the command with PAID_ONLINE and records nothing; staff return the money that
   * they received at the counter.
   */
  takePayment: command(
    'take-payment',
    z.object({
      invoiceId,
      method: counterMethod,
      /** The paid amount, which is at most the balance of the invoice. */
      amountCents: z.int().check(z.minimum(1), z.maximum(99_999_999)),
      /** The cash that the customer handed over; null for the exact amount and for other methods. */
      givenCents: z.nullable(z.int().check(z.minimum(1), z.maximum(99_999_999))),
      /**
       * The reference of the payment: the number of a check or, for `other`, the name of the method (both required), or
       * the last digits of a card (optional).
       */
      reference: optionalText(ledgerTextLimits.reference),
      note: optionalText(ledgerTextLimits.note),
      /** Whether the customer gets a receipt by email. */
      sendsReceipt: z.boolean(),
    }),
    takenPayment,
  ),
  /**
   * Emails the customer the link to pay the balance online. The server refuses the command with NOT_PAYABLE when
   * nothing is due, and with NO_EMAIL_ADDRESS when the customer has no email address.
   */
  sendLink: command('send-payment-link', z.object({ invoiceId }), z.object({ emailId: z.uuid() })),
} as const
