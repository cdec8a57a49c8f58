import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'
import { counterMethod, ledgerTextLimits } from './counter-commands.ts'

/** The states of the deposit of an estimate (docs/product.md 17.12). */
const depositStates = ['none', 'asked', 'open', 'paid', 'applied', 'refunded'] as const
export type DepositState = (typeof depositStates)[number]

/** The result of the database functions `read_deposit` and `ask_deposit`. Amounts are in US cents. */
export const deposit = z.object({
  /**
   * asked: nothing is approved yet. open: the customer has to pay. paid: the shop holds it. applied: it pays the
   * invoice. refunded: it was returned.
   */
  state: z.enum(depositStates),
  /** What the customer is asked for now: never more than what is approved; 0 before an approval. */
  askedCents: z.int(),
  /** The sum or the share that staff chose; both null without a deposit. */
  amountCents: z.nullable(z.int()),
  sharePercent: z.nullable(z.int()),
  approvedCents: z.int(),
  /** The largest possible deposit: what is approved or, before an approval, all jobs. */
  limitCents: z.int(),
  heldCents: z.int(),
  appliedCents: z.int(),
  /** What was received and returned, oldest first. */
  lines: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['payment', 'refund', 'reversal']),
      method: z.enum(['card_terminal', 'cash', 'check', 'other', 'card_online']),
      amountCents: z.int(),
      reference: z.nullable(z.string()),
      note: z.nullable(z.string()),
      recordedByName: z.nullable(z.string()),
      /** ISO 8601. */
      paidAt: z.string(),
      /** The line that a refund or a reversal belongs to; null for a payment. */
      originalId: z.nullable(z.string()),
      /** Why a line was reversed; null for other lines. */
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

/** What the shop holds of a deposit after its change, in US cents. */
const changedDeposit = z.object({ heldCents: z.int() })

/**
 * Commands about the deposit of an estimate (docs/product.md 17.12). Refusals of the database have a hint of TT104 in
 * `contracts/payments/ledger-errors.ts`.
 */
export const depositCommands = {
  /**
   * Records the deposit at the counter, once. Closes the customer's open payment page first; refused with PAID_ONLINE
   * when the customer paid there in the meantime.
   */
  take: command(
    'take-deposit',
    z.object({
      estimateId: z.uuid(),
      method: counterMethod,
      /** At most what is asked for. */
      amountCents: cents,
      /** The cash that the customer gave; null for the exact amount and for other methods. */
      givenCents: z.nullable(cents),
      /** The number of a check or the name of another method (both required), or the last digits at a terminal. */
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
      /** ISO 8601. */
      paidAt: z.string(),
      /** As in `counterCommands.takePayment`. */
      paymentPage: z.enum(['none', 'closed', 'unknown']),
      /** The address to which a receipt is sent; null when none was requested or the customer has no address. */
      receiptEmail: z.nullable(z.string()),
    }),
  ),
  /** Returns the deposit before an invoice exists. */
  refund: command(
    'refund-deposit',
    z.object({
      estimateId: z.uuid(),
      /** How the money goes back; null for the way it came. Another way needs a reference, such as 'Bank transfer'. */
      method: z.nullable(counterMethod),
      reference: optionalText(ledgerTextLimits.reference),
      /** The customer reads it. */
      reason,
      /** Whether the customer is notified by email. */
      notifies: z.boolean(),
    }),
    z.object({ refundCents: z.int() }),
    { stepUp: true },
  ),
  /**
   * Replaces a held deposit of the counter that was recorded with the wrong method or amount by a reversal and a new
   * line.
   */
  correct: command(
    'correct-deposit',
    z.object({
      paymentId: z.uuid(),
      method: counterMethod,
      /** At most what was recorded or what is asked for, whichever is more. */
      amountCents: cents,
      reference: optionalText(ledgerTextLimits.reference),
      reason,
    }),
    changedDeposit,
  ),
  /**
   * Emails the customer the link to pay the deposit. Refused with NOT_PAYABLE when none has to be paid, and with
   * NO_EMAIL_ADDRESS.
   */
  remind: command(
    'remind-of-deposit',
    z.object({ estimateId: z.uuid() }),
    z.object({ emailId: z.uuid() }),
  ),
  /** Reverses a held deposit whose check the bank did not pay. The deposit is asked for again. */
  returnCheck: command(
    'return-deposit-check',
    z.object({ paymentId: z.uuid(), reason }),
    changedDeposit,
  ),
} as const
