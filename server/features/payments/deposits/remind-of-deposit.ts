import { randomUUID } from 'node:crypto'
import { estimate as estimateSchema } from '#contracts/estimates/estimates.ts'
import { deposit as depositSchema, depositCommands } from '#contracts/payments/deposits.ts'
import { accepted, refused } from '#domain/result.ts'
import { writeDepositReminder } from '#emails/payments/payment-request.ts'
import { type Query, rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { queueEmail } from '#server/features/emails/outbox/queue-email.ts'
import type { PaymentContext } from '../payment-context.ts'

/** Emails the customer the link to pay the deposit of an approved estimate. */
export const remindOfDepositCommand = ({ currentShop, publicUrl }: PaymentContext) =>
  defineCommand(depositCommands.remind, {
    async asStaff(query, { estimateId }) {
      const { estimate, deposit } = await read(query, estimateId)
      const { customer } = estimate.document
      if (deposit.state !== 'open') return refused({ code: 'NOT_PAYABLE' })
      if (customer.email === '' || estimate.customerPath === null) {
        return refused({ code: 'NO_EMAIL_ADDRESS' })
      }
      return accepted({ estimate, deposit, path: estimate.customerPath })
    },
    async asServer(query, _input, { estimate, deposit, path }) {
      const { name: customerName, email } = estimate.document.customer
      const recipient = {
        estimateId: estimate.id,
        estimateNumber: estimate.number,
        customerName,
        currency: 'usd',
        email,
      }
      const { askedCents: cents, approvedCents } = deposit
      const message = writeDepositReminder(currentShop(), recipient, {
        id: randomUUID(),
        cents,
        approvedCents,
        url: `${publicUrl}${path}`,
      })
      return accepted({ emailId: await queueEmail(query, message) })
    },
  })

async function read(query: Query, estimateId: string) {
  const [row] = rowsAs<{ estimate: unknown; deposit: unknown }>(
    await query('select public.read_estimate($1) as estimate, public.read_deposit($1) as deposit', [
      estimateId,
    ]),
  )
  return {
    estimate: estimateSchema.parse(row?.estimate),
    deposit: depositSchema.parse(row?.deposit),
  }
}
