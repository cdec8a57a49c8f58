import { accountantFileEndpoint } from './accountant.ts'
import { adminSessionEndpoints } from './admin-session.ts'
import { calendarFeedEndpoints } from './calendar-feed.ts'
import { createCheckoutEndpoint } from './checkout.ts'
import { outboxEndpoints } from './emails.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateInvoiceEndpoints } from './estimate-invoices.ts'
import { sendEstimateEndpoint } from './estimate-actions.ts'
import { formTokenEndpoint } from './form-token.ts'
import { invoiceDocumentEndpoints } from './invoice-documents.ts'
import { lookupInvoiceEndpoint } from './invoice-lookup.ts'
import { invoiceEndpoints } from './invoices.ts'
import { liveEndpoint } from './live.ts'
import { operationsEndpoint } from './operations.ts'
import { paymentEndpoints } from './payments.ts'
import { customerEndpoints } from './people.ts'
import { setupEndpoints } from './setup.ts'
import { sampleWeekEndpoints } from './sample-week.ts'
import { onboardingEndpoints } from './first-steps.ts'
import { stripeWebhookEndpoint } from './stripe-webhook.ts'
import { notifyCustomerEndpoint } from './tell-customer.ts'

/**
 * Every call of `/api`. Browser and server take an entry from the file of its subject, so that no page loads
 * what it does not call; this is for who wants them all.
 */
export const endpoints: readonly Endpoint[] = [
  formTokenEndpoint,
  lookupInvoiceEndpoint,
  ...Object.values(invoiceDocumentEndpoints),
  createCheckoutEndpoint,
  ...Object.values(paymentEndpoints),
  stripeWebhookEndpoint,
  ...Object.values(adminSessionEndpoints),
  ...Object.values(invoiceEndpoints),
  ...Object.values(estimateInvoiceEndpoints),
  ...Object.values(outboxEndpoints),
  operationsEndpoint,
  liveEndpoint,
  notifyCustomerEndpoint,
  sendEstimateEndpoint,

  ...Object.values(customerEndpoints),
  accountantFileEndpoint,
  ...Object.values(calendarFeedEndpoints),
  ...Object.values(setupEndpoints),
  ...Object.values(onboardingEndpoints),
  ...Object.values(sampleWeekEndpoints),
]
