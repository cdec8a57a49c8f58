import { randomUUID } from 'node:crypto'
import { type ListedInvoice, listedInvoice } from '#contracts/invoices/invoice-list.ts'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { isPayable } from '#domain/invoices/invoice-age.ts'
import { accepted, refused } from '#domain/result.ts'
import { writePaymentLink } from '#emails/payments/payment-request.ts'
import { type Query, rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { PaymentContext } from '../payment-context.ts'

/** Emails the customer the link to pay the balance of an invoice. */
export const sendLinkCommand = ({ currentShop, publicUrl, paymentMode }: PaymentContext) =>
  defineCommand(counterCommands.sendLink, {
    async asStaff(query, { invoiceId }) {
      if (paymentMode() === 'not_set_up') return refused({ code: 'PAYMENTS_NOT_SET_UP' })
      const invoice = await readInvoice(query, invoiceId)
      if (!invoice || !isPayable(invoice) || invoice.number === null) {
        return refused({ code: 'NOT_PAYABLE' })
      }
      const { number, customerEmail: email } = invoice
      if (email === null) return refused({ code: 'NO_EMAIL_ADDRESS' })
      return accepted({ ...invoice, number, email })
    },
    async asServer(query, _input, invoice) {
      const address = new URLSearchParams({ invoice: invoice.number })
      const message = { id: randomUUID(), url: `${publicUrl}/pay-invoice?${address}` }
      const email = writePaymentLink(currentShop(), invoice, message)
      return accepted({ emailId: await queueEmail(query, email) })
    },
  })

async function readInvoice(query: Query, invoiceId: string): Promise<ListedInvoice | undefined> {
  const [row] = rowsAs<{ invoice: unknown }>(
    await query('select public.read_listed_invoice($1) as invoice', [invoiceId]),
  )
  return row?.invoice ? listedInvoice.parse(row.invoice) : undefined
}
