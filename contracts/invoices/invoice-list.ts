import * as z from 'zod/mini'
import { currencyCode } from '#contracts/payments/currency-code.ts'

/**
 * The state of an invoice according to the shop's ledger. Stripe's own status changes up to a minute after a payment at
 * the counter.
 */
const invoiceState = z.enum([
  'open',
  'part_paid',
  'paid',
  'part_refunded',
  'refunded',
  'cancelled',
  'replaced',
  'written_off',
  'void',
])

/** An invoice with its balance, as the dashboard lists it. Amounts are in minor units (cents). */
export const listedInvoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  customerName: z.string(),
  customerId: z.nullable(z.string()),
  /** The customer's current email address; null when the customer has none. */
  customerEmail: z.nullable(z.string()),
  /** The vehicle's year, make and model; null when the invoice has no vehicle. */
  vehicle: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  totalCents: z.int(),
  /** The sales tax in the total; null while the tax is unknown. */
  taxCents: z.nullable(z.int()),
  paidCents: z.int(),
  balanceCents: z.int(),
  currency: currencyCode,
  state: invoiceState,
  createdAt: z.string(),
  /** The due date of the invoice: yyyy-MM-dd. */
  dueDate: z.nullable(z.string()),
  /** Whether the invoice was created in the payment sandbox, although the shop now charges real cards. */
  isTest: z.boolean(),
  /** The time at which the customer opened the online payment page; null when no payment page is open. */
  paymentPageOpenedAt: z.nullable(z.string()),
})
export type ListedInvoice = z.output<typeof listedInvoice>

/** The payments of a business date, in US cents. */
export const receivedPayments = z.object({
  /** The sum of the payments on the date minus the refunds and reversals on the date. */
  receivedCents: z.int(),
  payments: z.int(),
  refunds: z.int(),
  methods: z.array(
    z.object({
      method: z.enum(['card_terminal', 'cash', 'check', 'other', 'card_online']),
      cents: z.int(),
    }),
  ),
})
export type ReceivedPayments = z.output<typeof receivedPayments>

/** The result of the database function `list_invoices`. Sums are in US cents. */
export const invoiceList = z.object({
  /** Today's date at the shop: yyyy-MM-dd. */
  today: z.string(),
  invoices: z.array(listedInvoice),
  counts: z.object({
    open: z.int(),
    openCents: z.int(),
    pastDue: z.int(),
    pastDueCents: z.int(),
    partPaid: z.int(),
    /** The amount that customers have already paid on outstanding invoices. */
    partPaidCents: z.int(),
  }),
  received: receivedPayments,
})
