import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { EmailKind } from '#contracts/emails/emails.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { sampleSentRevision } from '#tests/support/estimates/sample-sent-revision.ts'
import { writeAddressQuestion } from '#emails/bookings/address-question.ts'
import {
  type ChangedBooking,
  writeBookingCancelled,
  writeBookingMoved,
} from '#emails/bookings/booking-change.ts'
import { writeBookingConfirmation } from '#emails/bookings/booking-confirmation.ts'
import { writeBookingHandedOver } from '#emails/bookings/booking-handed-over.ts'
import { writeBookingReminder } from '#emails/bookings/booking-reminder.ts'
import { writeConfirmationRequest } from '#emails/bookings/confirmation-request.ts'
import { writeEstimate } from '#emails/estimates/estimate.ts'
import {
  type AuthorizationBatch,
  writeEstimateApproved,
} from '#emails/estimates/estimate-approved.ts'
import { writeInvoiceEmail } from '#emails/invoices/invoice.ts'
import { writeCollectedNotices } from '#emails/setup/owner-notice.ts'
import { writeVoidNotice } from '#emails/payments/correction-notices.ts'
import { writePaymentLink } from '#emails/payments/payment-request.ts'
import { writeReceipt } from '#emails/payments/payment-receipt.ts'
import { writeQuoteConfirmation } from '#emails/quotes/quote-confirmation.ts'
import { writeQuoteReply } from '#emails/quotes/quote-reply.ts'
import type { ShopEmail } from './shop-email.ts'
import { writeInvitation } from '#emails/team/invitation.ts'
import { writeTestMessage } from '#emails/setup/test-message.ts'
import { writeVisitLinks } from '#emails/bookings/visit-links.ts'

const shop = defaultShop
const url = 'https://torqueandtiming.example/visit/token'
const email = 'dana@customer.example'

const booking: ChangedBooking = {
  id: '0b5c0000-0000-4000-8000-000000000001',
  serviceName: 'Brake Job',
  date: '2026-11-28',
  time: '13:30:00',
  durationMinutes: 90,
  customerName: 'Dana Reyes',
  customerEmail: email,
  vehicleYear: '2019',
  vehicleMake: 'Subaru',
  vehicleModel: 'Outback',
  vehicleColor: null,
  customerPhone: null,
  hasNotes: false,
  flaggedReasons: [],
  heldUntil: null,
  version: 1,
  calendarSequence: 0,
  visitUrl: url,
  notifiedStartsAt: '2026-11-27T13:30:00',
  canRestore: true,
  hasInvoice: false,
  bookUrl: 'https://torqueandtiming.example/book-appointment',
}
const linkedBooking = { ...booking, url }
const heldUntil = '2026-11-20T18:30:00Z'

const request = {
  id: '0b5c0000-0000-4000-8000-000000000002',
  name: 'Dana Reyes',
  email,
  vehicleYear: '2019',
  vehicleMake: 'Subaru',
  serviceType: 'brake-service',
  description: 'It grinds.',
  flaggedReasons: [],
}

const batch: AuthorizationBatch = [
  {
    id: 1,
    batchId: '00000000-0000-4000-8000-0000000000ac',
    revision: 1,
    revisionHash: 'a'.repeat(64),
    jobKey: '00000000-0000-4000-8000-00000000000a',
    jobTitle: 'Front brakes',
    decision: 'approved',
    amountCents: 35_669,
    runningTotalCents: 35_669,
    method: 'web',
    decidedByName: 'Dana Reyes',
    relationship: '',
    contact: '',
    statement: '',
    wantsPartsBack: false,
    decidedAt: '2026-11-24T23:18:00Z',
    recordedBy: '',
    voidBecause: null,
  },
]

/** The fields of an invoice that the email templates use. */
const invoice = {
  id: 'in_1',
  number: 'TT-0001',
  currency: 'usd',
  amount_remaining: 35_669,
  amount_paid: 35_669,
  created: 1_795_000_000,
  due_date: null,
  description: '',
  customer_name: 'Dana Reyes',
  customer_email: email,
  livemode: false,
  status_transitions: { paid_at: 1_795_000_000 },
  lines: { data: [] },
} as unknown as Stripe.Invoice

const owner = { currentShop: () => shop, ownerEmail: undefined }
const notice = ['A customer moved an appointment'] as const

const emails: Readonly<Record<EmailKind, ShopEmail | Promise<ShopEmail>>> = {
  booking_confirmation: writeBookingConfirmation(shop, booking, url),
  confirmation_request: writeConfirmationRequest(shop, { ...booking, heldUntil }, url),
  booking_moved: writeBookingMoved(shop, booking),
  booking_cancelled: writeBookingCancelled(shop, booking),
  booking_handed_over: writeBookingHandedOver(
    shop,
    { ...booking, bookingId: booking.id, name: booking.customerName, email },
    2,
  ),
  booking_reminder: writeBookingReminder(shop, { ...booking, hasConfirmedAttendance: false }),
  address_question: writeAddressQuestion(
    shop,
    { ...booking, bookingId: booking.id, recipient: email },
    url,
  ),
  visit_links: writeVisitLinks(shop, email, [linkedBooking], 0),
  quote_confirmation: writeQuoteConfirmation(shop, request),
  quote_reply: writeQuoteReply(shop, request, { subject: 'Your quote', body: 'About $300.' }),
  estimate: writeEstimate(shop, sampleSentRevision(), { url, wasVehicleHere: true }),
  estimate_approved: writeEstimateApproved(shop, sampleSentRevision(), batch, url),
  invoice: writeInvoiceEmail(shop, invoice, 'https://torqueandtiming.example', Buffer.from('')),
  payment_request: writePaymentLink(
    shop,
    {
      id: 'in_dana',
      number: 'INV-2026-0148-KJ4R7Y',
      customerName: 'Dana Reyes',
      email,
      balanceCents: 49_857,
      currency: 'usd',
    },
    { id: 'one', url },
  ),
  payment_receipt: writeReceipt(shop, invoice, email, undefined),
  invoice_correction: writeVoidNotice(
    shop,
    {
      invoiceId: 'in_1',
      invoiceNumber: 'TT-1',
      customerName: 'Dana',
      currency: 'usd',
      email: 'dana@example.com',
    },
    'Wrong customer.',
  ),
  owner_notice: writeCollectedNotices(owner, notice, 'key'),
  test_message: writeTestMessage(shop, email, 'wish'),
  invitation: writeInvitation(shop, {
    name: 'Mei Kato',
    email,
    role: 'advisor',
    username: 'mei',
    inviterName: 'Lena Marsh',
    expiresAt: '2026-11-30T17:14:00Z',
    url,
    dedupeKey: 'invitation:one',
  }),
}

test.each(Object.entries(emails))(
  'the HTML of an email of the kind %s has one main landmark around all visible text',
  async (kind, written) => {
    const { kind: own, html } = await written
    expect(own).toBe(kind)
    const [beforeMain = '', main = '', ...more] = html.split('<div role="main" lang="en">')
    expect(more).toEqual([])
    expect(main).toContain('<h1')
    const body = beforeMain.slice(beforeMain.indexOf('<body'))
    expect(body.replaceAll(/<div style="display:none.*?<\/div>|<[^>]*>|\s/g, '')).toBe('')
    expect(main.slice(main.lastIndexOf('</div>')).replaceAll(/<[^>]*>|\s/g, '')).toBe('')
  },
)
