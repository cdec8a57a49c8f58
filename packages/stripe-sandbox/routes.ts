import { attachPaymentRoutes } from './resources/attach-payment.ts'
import { checkoutSessionRoutes } from './resources/checkout-sessions.ts'
import { creditNoteRoutes } from './resources/credit-notes.ts'
import { customerRoutes } from './resources/customers.ts'
import { disputeRoutes } from './resources/disputes.ts'
import { eventRoutes } from './resources/events.ts'
import { invoiceActionRoutes } from './resources/invoice-actions.ts'
import { invoiceItemRoutes } from './resources/invoice-items.ts'
import { invoiceLineRoutes } from './resources/invoice-lines.ts'
import { invoiceSearchRoutes } from './resources/invoice-search.ts'
import { invoiceRoutes } from './resources/invoices.ts'
import { paymentRecordRoutes } from './resources/payment-records.ts'
import { paymentRoutes } from './resources/payments.ts'
import { refundRoutes } from './resources/refunds.ts'
import { taxRateRoutes } from './resources/tax-rates.ts'
import type { Route } from './api/route.ts'

/** All routes of the API. The first match is used, so `/invoices/search` precedes `/invoices/:id`. */
export const apiRoutes: readonly Route[] = [
  ...customerRoutes,
  ...invoiceItemRoutes,
  ...invoiceSearchRoutes,
  ...invoiceRoutes,
  ...invoiceActionRoutes,
  ...attachPaymentRoutes,
  ...invoiceLineRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...paymentRecordRoutes,
  ...refundRoutes,
  ...creditNoteRoutes,
  ...disputeRoutes,
  ...taxRateRoutes,
  ...eventRoutes,
]
