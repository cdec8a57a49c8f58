import { depositCommands } from '#contracts/payments/deposits.ts'
import type { InputOf, ResultOf } from '#contracts/commands/command.ts'
import type { RefundWay } from '#domain/payments/correction-text.ts'
import { accepted, refused } from '#domain/result.ts'
import {
  type DepositRecipient,
  writeDepositReceipt,
  writeDepositRefund,
} from '#emails/payments/deposit-emails.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { PaymentContext } from '../payment-context.ts'
import { closeDepositPages } from './close-deposit-pages.ts'

/**
 * The recipient of an email about a deposit, as the database function returns it; `email` is null if the customer has
 * no email address.
 */
type Recipient = Omit<DepositRecipient, 'email'> & { readonly email: string | null }

type Taken = Omit<ResultOf<typeof depositCommands.take>, 'paymentPage' | 'receiptEmail'> & {
  readonly receipt: Recipient
}

/** Closes the customer's open payment page, then records the deposit and queues its receipt. */
export const takeDepositCommand = (context: PaymentContext) =>
  defineCommand(depositCommands.take, {
    async prepare({ estimateId }) {
      const pages = await closeDepositPages(context, estimateId)
      return pages === 'paid' ? refused({ code: 'PAID_ONLINE' }) : accepted(pages)
    },
    async asStaff(query, input: InputOf<typeof depositCommands.take>) {
      const { estimateId, method, amountCents, givenCents, reference, note } = input
      const [row] = rowsAs<{ taken: Taken }>(
        await query('select public.take_deposit($1, $2, $3, $4, $5, $6) as taken', [
          estimateId,
          method,
          amountCents,
          givenCents,
          reference,
          note,
        ]),
      )
      if (!row) throw new Error('public.take_deposit returned no row')
      return accepted(row.taken)
    },
    async asServer(query, input, { receipt, ...taken }, paymentPage = 'unknown') {
      const receiptEmail = input.sendsReceipt ? receipt.email : null
      if (receiptEmail !== null) {
        const payment = { ...taken, method: input.method, reference: input.reference }
        const recipient = { ...receipt, email: receiptEmail }
        await queueEmail(query, writeDepositReceipt(context.currentShop(), recipient, payment))
      }
      return accepted({ ...taken, paymentPage, receiptEmail })
    },
  })

type Refunded = {
  readonly refundCents: number
  /** The refund method; null when the deposit is refunded by several methods. */
  readonly way: RefundWay | null
  readonly customer: Recipient
}

/** Refunds a deposit that has not been applied to an invoice. */
export const refundDepositCommand = (context: PaymentContext) =>
  defineCommand(depositCommands.refund, {
    async asStaff(query, { estimateId, method, reference, reason }) {
      const [row] = rowsAs<{ result: Refunded }>(
        await query('select internal.refund_deposit($1, $2, $3, $4) as result', [
          estimateId,
          method,
          reference,
          reason,
        ]),
      )
      if (!row) throw new Error('internal.refund_deposit returned no row')
      return accepted(row.result)
    },
    async asServer(query, { reason, notifies }, { refundCents, way, customer }) {
      const { email } = customer
      if (notifies && email !== null) {
        const refund = { cents: refundCents, reason, way: way ?? undefined }
        await queueEmail(
          query,
          writeDepositRefund(context.currentShop(), { ...customer, email }, refund),
        )
      }
      return accepted({ refundCents })
    },
  })

type Held = ResultOf<typeof depositCommands.correct>

/** Corrects a wrongly recorded deposit at the counter, if the deposit has not been applied to an invoice. */
export const correctDepositCommand = defineCommand(depositCommands.correct, {
  async asStaff(query, { paymentId, method, amountCents, reference, reason }) {
    const [row] = rowsAs<{ held: Held }>(
      await query('select public.correct_deposit($1, $2, $3, $4, $5) as held', [
        paymentId,
        method,
        amountCents,
        reference,
        reason,
      ]),
    )
    if (!row) throw new Error('public.correct_deposit returned no row')
    return accepted(row.held)
  },
  asServer: (_query, _input, held) => Promise.resolve(accepted(held)),
})

/**
 * Reverses a deposit that was paid by a check which the bank returned unpaid, if the deposit has not been applied to
 * an invoice.
 */
export const returnDepositCheckCommand = defineCommand(depositCommands.returnCheck, {
  async asStaff(query, { paymentId, reason }) {
    const [row] = rowsAs<{ held: Held }>(
      await query('select public.return_deposit_check($1, $2) as held', [paymentId, reason]),
    )
    if (!row) throw new Error('public.return_deposit_check returned no row')
    return accepted(row.held)
  },
  asServer: (_query, _input, held) => Promise.resolve(accepted(held)),
})
