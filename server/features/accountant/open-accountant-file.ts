import { Readable } from 'node:stream'
import type Stripe from 'stripe'
import type { AccountantFileKind } from '#contracts/accountant-files.ts'
import { streamCsv } from '#domain/text/csv.ts'
import type { DateRange } from '#domain/calendar/date-range.ts'
import { describeStripeError, stripeFailure } from '#server/features/payments/stripe.ts'
import type { Database } from '@local/postgres'
import { appointmentColumns, listAppointments } from './list-appointments.ts'
import { dayCloseColumns, listDayCloses } from './list-day-closes.ts'
import { depositColumns, listDeposits } from './list-deposits.ts'
import { invoiceColumns, listInvoices } from './list-invoices.ts'
import { listCustomers, customerColumns } from './list-customers.ts'
import { listWriteOffs, writeOffColumns } from './list-write-offs.ts'
import { listPayments, listRefunds, paymentColumns, refundColumns } from './list-ledger.ts'

type Shop = { readonly database: Database; readonly stripe: Stripe }

const files = {
  appointments: (shop: Shop, range: DateRange) =>
    streamCsv(appointmentColumns, listAppointments(shop, range)),
  invoices: (shop: Shop, range: DateRange) => streamCsv(invoiceColumns, listInvoices(shop, range)),
  payments: (shop: Shop, range: DateRange) => streamCsv(paymentColumns, listPayments(shop, range)),
  refunds: (shop: Shop, range: DateRange) => streamCsv(refundColumns, listRefunds(shop, range)),
  deposits: (shop: Shop, range: DateRange) => streamCsv(depositColumns, listDeposits(shop, range)),
  'write-offs': (shop: Shop, range: DateRange) =>
    streamCsv(writeOffColumns, listWriteOffs(shop, range)),
  'day-closes': (shop: Shop, range: DateRange) =>
    streamCsv(dayCloseColumns, listDayCloses(shop, range)),
  customers: (shop: Shop, range: DateRange) =>
    streamCsv(customerColumns, listCustomers(shop, range)),
} satisfies Record<AccountantFileKind, (shop: Shop, range: DateRange) => AsyncGenerator<string>>

/**
 * Streams the records of a date range as a CSV file, no faster than the client reads. Returns undefined when the range
 * has no records. Throws an error that occurs before the first chunk of the file. A later error, or an abort of
 * `signal`, ends the stream.
 */
export async function openAccountantFile(
  shop: Shop,
  kind: AccountantFileKind,
  { range, signal }: { readonly range: DateRange; readonly signal: AbortSignal },
): Promise<Readable | undefined> {
  const pieces = files[kind](shop, range)
  const first = await pieces.next()
  if (first.done) return undefined
  return Readable.from(startingWith(first.value, pieces), { signal })
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first
    yield* rest
  } catch (error) {
    throw withoutMessage(error)
  }
}

/** Logs the error that ended a stream. Omits the messages of Stripe errors, because they can quote customer data. */
function withoutMessage(error: unknown): unknown {
  if (!stripeFailure(error)) return error
  const { type, code } = describeStripeError(error)
  return new Error(
    `Stripe returned an error while the accountant file was being sent: ${String(type)}, ${String(code)}`,
  )
}
