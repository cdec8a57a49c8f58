import { accountantFileEndpoint } from '#contracts/accountant-files.ts'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import { auditFileEndpoint } from '#contracts/audit.ts'
import { confirmPasswordEndpoint } from '#contracts/step-up.ts'
import { backupEndpoints } from '#contracts/backup.ts'
import { calendarFeedEndpoints } from '#contracts/calendar-feed.ts'
import { signInWaysEndpoint, teamCommands } from '#contracts/team.ts'
import { createCheckoutEndpoint } from '#contracts/payments/checkout.ts'
import { outboxEndpoints } from '#contracts/emails/emails.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateInvoiceEndpoints } from '#contracts/estimates/estimate-invoices.ts'
import {
  recordAuthorizationCommand,
  sendEstimateEndpoint,
} from '#contracts/estimates/estimate-actions.ts'
import { replyToQuoteCommand } from '#contracts/reply-to-quote.ts'
import { formTokenEndpoint } from '#contracts/form-token.ts'
import { invoiceDocumentEndpoints } from '#contracts/invoices/invoice-documents.ts'
import {
  emailInvoiceCommand,
  handOverInvoiceEndpoint,
  printInvoiceEndpoint,
} from '#contracts/invoices/linked-invoice.ts'
import { lookupInvoiceEndpoint } from '#contracts/invoices/invoice-lookup.ts'
import { invoiceEndpoints } from '#contracts/invoices/invoices.ts'
import { liveEndpoint } from './live-events.ts'
import { operationsEndpoint } from '#contracts/operations.ts'
import { codeAppEndpoints } from '#contracts/code-app.ts'
import { joinEndpoints } from '#contracts/join.ts'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { paymentEndpoints } from '#contracts/payments/payments.ts'
import { customerEndpoints } from '#contracts/customers.ts'
import { profileEndpoints } from '#contracts/profile.ts'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { setupEndpoints } from '#contracts/setup.ts'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import { onboardingEndpoints } from '#contracts/onboarding.ts'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import { cashCommands } from '#contracts/payments/day-close.ts'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { depositCommands } from '#contracts/payments/deposits.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'

/**
 * All endpoints of `/api`, for the server and for tests. A page imports each endpoint from the endpoint's own file,
 * so that the page loads no unused code.
 */
export const endpoints: readonly Endpoint[] = [
  formTokenEndpoint,
  lookupInvoiceEndpoint,
  handOverInvoiceEndpoint,
  printInvoiceEndpoint,
  emailInvoiceCommand,
  ...Object.values(invoiceDocumentEndpoints),
  createCheckoutEndpoint,
  ...Object.values(paymentEndpoints),
  stripeWebhookEndpoint,
  ...Object.values(adminSessionEndpoints),
  ...Object.values(joinEndpoints),
  ...Object.values(passkeyEndpoints),
  ...Object.values(codeAppEndpoints),
  ...Object.values(invoiceEndpoints),
  ...Object.values(estimateInvoiceEndpoints),
  ...Object.values(outboxEndpoints),
  operationsEndpoint,
  liveEndpoint,
  sendEstimateEndpoint,
  ...Object.values(bookingCommands),
  ...Object.values(counterCommands),
  ...Object.values(invoiceCommands),
  ...Object.values(depositCommands),
  confirmPasswordEndpoint,
  auditFileEndpoint,
  ...Object.values(profileEndpoints),
  recordAuthorizationCommand,
  replyToQuoteCommand,
  ...Object.values(cashCommands),
  ...Object.values(customerEndpoints),
  accountantFileEndpoint,
  ...Object.values(calendarFeedEndpoints),
  ...Object.values(setupEndpoints),
  ...Object.values(onboardingEndpoints),
  ...Object.values(sampleWeekEndpoints),
  ...Object.values(backupEndpoints),
  signInWaysEndpoint,
  ...Object.values(teamCommands),
  ...Object.values(tabletEndpoints),
]
