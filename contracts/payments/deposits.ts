import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'
import { counterMethod, ledgerTextLimits } from './counter-commands.ts'

/** The states of the deposit of an estimate (docs/product.md 17.12). */
const depositStates = ['none', 'asked', 'open', 'paid', 'applied', 'refunded'] as const
export type DepositState = (typeof depositStates)[number]

/** The result of the database functions `read_deposit` and `ask_deposit`. Amounts are in US cents. */
export const deposit = z.object({
  /**
   * The state of the deposit. asked: the shop asks for a deposit, but the customer has approved nothing yet. open: the
   * customer has to pay. paid: the shop holds the deposit. applied: the deposit pays the invoice. refunded: the shop
   * returned the deposit.
   */
  state: z.enum(depositStates),
  /** The amount that the customer has to pay now, at most the approved amount; 0 before an approval. */
  askedCents: z.int(),
  /** The amount or the percentage that staff chose; both are null when staff request no deposit. */
  amountCents: z.nullable(z.int()),
  sharePercent: z.nullable(z.int()),
  approvedCents: z.int(),
  /** The largest possible deposit: the approved amount or, before an approval, the amount of all jobs. */
  limitCents: z.int(),
  heldCents: z.int(),
  appliedCents: z.int(),
  /** The payments and refunds of the deposit, oldest first. */
  lines: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['payment', 'refund', 'reversal']),
      method: z.enum(['card_terminal', 'cash', 'check', 'other', 'card_online']),
      amountCents: z.int(),
      reference: z.nullable(z.string()),
      note: z.nullable(z.string()),
      recordedByName: z.nullable(z.string()),
      /** The time of the payment: ISO 8601. */
      paidAt: z.string(),
      /** The payment that a refund or a reversal belongs to; null for a payment. */
      originalId: z.nullable(z.string()),
      /** The reason why a ledger line was reversed; null for other ledger lines. */
      cause: z.nullable(
        z.enum(['recorded_wrongly', 'returned_check', 'lost_dispute', 'failed_refund']),
      ),
    }),
  ),
})
export type Deposit = z.output<typeof deposit>

const cents = z.int().check(z.minimum(1), z.maximum(99_999_999))
const optionalText = (maxLength: number) =>
  z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength)))
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))

/** The part of the deposit that the shop holds after the command, in US cents. */
const changedDeposit = z.object({ heldCents: z.int() })

/**
 * Commands about the deposit of an estimate (docs/product.md 17.12). When the database refuses a command, it raises the
 * SQLSTATE TT104 with one of the hints in `contracts/payments/ledger-errors.ts`.
 */
export const depositCommands = {
  /**
   * Records the deposit at the counter. Closes the customer's open payment page first. If the customer has already paid
   * on that page, the server refuses the command with PAID_ONLINE.
   */
  take: command(
    'take-deposit',
    z.object({
      estimateId: z.uuid(),
      method: counterMethod,
      /** The paid amount, which is at most the requested deposit. */
      amountCents: cents,
      /** The cash that the customer handed over; null for the exact amount and for other methods. */
      givenCents: z.nullable(cents),
      /**
       * The reference of the payment: the number of a check or, for `other`, the name of the method (both required), or
       * the last digits of a card (optional).
       */
      reference: optionalText(ledgerTextLimits.reference),
      note: optionalText(ledgerTextLimits.note),
      /** Whether the customer gets a receipt by email. */
      sendsReceipt: z.boolean(),
    }),
    z.object({
      paymentId: z.uuid(),
      amountCents: z.int(),
      changeCents: z.int(),
      approvedCents: z.int(),
      /** The time of the payment: ISO 8601. */
      paidAt: z.string(),
      /** The state of the customer's online payment page, as in `counterCommands.takePayment`. */
      paymentPage: z.enum(['none', 'closed', 'unknown']),
      /**
       * The email address to which the shop sends a receipt; null when staff requested no receipt or the customer has
       * no email address.
       */
      receiptEmail: z.nullable(z.string()),
    }),
  ),
  /** Refunds the deposit to the customer before an invoice exists. */
  refund: command(
    'refund-deposit',
    z.object({
      estimateId: z.uuid(),
      /**
       * The method of the refund; null repeats the method of the payment. Any other method requires a reference, such
       * as 'Bank transfer'.
       */
      method: z.nullable(counterMethod),
      reference: optionalText(ledgerTextLimits.reference),
      /** The reason for the refund, which the customer can read. */
      reason,
      /** Whether the shop notifies the customer of the refund by email. */
      notifies: z.boolean(),
    }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /**
   * Corrects a deposit whose method or amount staff recorded wrongly at the counter: records a reversal and a new
   * ledger line.
   */
  correct: command(
    'correct-deposit',
    z.object({
      paymentId: z.uuid(),
      method: counterMethod,
      /** The correct amount, which is at most the recorded amount or the requested deposit, whichever is higher. */
      amountCents: cents,
      reference: optionalText(ledgerTextLimits.reference),
      reason,
    }),
    changedDeposit,
  ),
  /**
   * Emails the customer the link to pay the deposit. The server refuses the command with NOT_PAYABLE when no deposit is
   * due, and with NO_EMAIL_ADDRESS when the customer has no email address.
   */
  remind: command(
    'remind-of-deposit',
    z.object({ estimateId: z.uuid() }),
    z.object({ emailId: z.uuid() }),
  ),
  /**
   * Cancels a deposit that was paid by check, because the bank did not pay the check. The customer then has to pay
   * again.
   */
  returnCheck: command(
    'return-deposit-check',
    z.object({ paymentId: z.uuid(), reason }),
    changedDeposit,
  ),
} as const
