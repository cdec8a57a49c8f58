import { counterCommands, type TakenPayment } from '#contracts/payments/counter-commands.ts'
import { accepted, refused } from '#domain/result.ts'
import { writeCounterReceipt } from '#emails/payments/counter-receipt.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { PaymentContext } from '../payment-context.ts'
import { closePaymentPages } from './close-payment-pages.ts'

/** The payment that the database function `public.take_payment` returns. */
type Recorded = Omit<TakenPayment, 'paymentPage' | 'receiptEmail' | 'receiptEmailId'> & {
  readonly receipt: {
    readonly invoiceNumber: string
    readonly customerName: string
    readonly currency: string
    /** The customer's email address; null if the customer has none. */
    readonly email: string | null
  }
}

/** Closes the customer's open payment page, then records a payment at the counter and queues its receipt. */
export const takePaymentCommand = (context: PaymentContext) =>
  defineCommand(counterCommands.takePayment, {
    async prepare({ invoiceId }) {
      const pages = await closePaymentPages(context, invoiceId)
      return pages === 'paid' ? refused({ code: 'PAID_ONLINE' }) : accepted(pages)
    },
    async asStaff(query, { invoiceId, method, amountCents, givenCents, reference, note }) {
      const [row] = rowsAs<{ recorded: Recorded }>(
        await query('select public.take_payment($1, $2, $3, $4, $5, $6) as recorded', [
          invoiceId,
          method,
          amountCents,
          givenCents,
          reference,
          note,
        ]),
      )
      if (!row) throw new Error('public.take_payment returned no row')
      return accepted(row.recorded)
    },
    async asServer(query, input, { receipt, ...recorded }, paymentPage = 'unknown') {
      const receiptEmail = input.sendsReceipt ? receipt.email : null
      const result = { ...recorded, paymentPage, receiptEmail }
      if (receiptEmail === null) return accepted({ ...result, receiptEmailId: null })
      const { invoiceId, method, reference } = input
      const payment = { ...recorded, ...receipt, invoiceId, method, reference, email: receiptEmail }
      const email = writeCounterReceipt(context.currentShop(), payment)
      return accepted({ ...result, receiptEmailId: await queueEmail(query, email) })
    },
  })
