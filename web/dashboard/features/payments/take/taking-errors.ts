import * as z from 'zod/mini'
import { aboveBalanceMessage, cardNumberMessage } from '#domain/payments/payment-form.ts'
import type { PaymentRefusal } from '#domain/payments/payment-form.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import type { PaymentOrder } from './use-taking.ts'

/** The notice about a failed payment, if the failure does not concern a field. */
export type TakingProblem = { readonly title: string; readonly text: string }

/** The field that caused the database to refuse the payment, with its message; undefined for other errors. */
export function refusedField(error: Error, order: PaymentOrder): PaymentRefusal | undefined {
  if (!(error instanceof DataError)) return undefined
  if (error.code === '23514' && error.message.includes('card_number')) {
    return { field: order.note === null ? 'reference' : 'note', message: cardNumberMessage }
  }
  if (error.code !== 'TT102') return undefined
  switch (error.hint) {
    case 'above_balance':
      return { field: 'amount', message: excessMessage(error, order) }
    case 'invalid_amount':
      return { field: 'amount', message: 'Enter an amount above 0.' }
    case 'given_too_little':
      return {
        field: 'given',
        message: 'The cash given is less than the amount to take. Check both amounts.',
      }
    default:
      return undefined
  }
}

/** The data that the database sends when it refuses a payment above the balance. */
const refusalDetail = z.object({ balanceCents: z.int() })

function excessMessage({ detail }: DataError, { amountCents, method }: PaymentOrder): string {
  const read = refusalDetail.safeParse(JSON.parse(detail ?? 'null'))
  return aboveBalanceMessage(amountCents, read.data?.balanceCents ?? 0, method)
}

/** The notice about a failed payment: the failure, whether the payment was recorded, and the next step for staff. */
export function problemOf(error: Error): TakingProblem {
  const wasAnswered = error instanceof DataError && error.status > 0 && error.status < 500
  if (!wasAnswered) {
    return {
      title: 'No response. The payment may or may not have been recorded.',
      text: 'Your entries are kept. Press the button again: this payment is never recorded twice.',
    }
  }
  if (error.hint === 'invoice_void') {
    return {
      title: 'This invoice is void.',
      text: 'This payment was not recorded. Give the money back.',
    }
  }
  return { title: 'The payment was not recorded.', text: error.message }
}
