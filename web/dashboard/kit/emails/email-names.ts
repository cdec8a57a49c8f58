import type { EmailKind } from '#contracts/emails/emails.ts'

/** The name of each kind of email in the dashboard. */
export const emailNames: Readonly<Record<EmailKind, string>> = {
  booking_confirmation: 'Confirmation',
  confirmation_request: 'Request to confirm',
  booking_moved: 'New time',
  booking_cancelled: 'Cancellation',
  booking_handed_over: 'Customer changed',
  booking_reminder: 'Reminder',
  address_question: 'Question about the email address',
  visit_links: 'Links to appointments',
  quote_confirmation: 'Quote request received',
  quote_reply: 'Quote',
  estimate: 'Estimate',
  estimate_approved: 'Approved jobs',
  invoice: 'Invoice',
  payment_request: 'Payment link',
  payment_receipt: 'Receipt',
  invoice_correction: 'Invoice correction',
  owner_notice: 'Notice to the shop',
  test_message: 'Test email',
  invitation: 'Invitation',
}
