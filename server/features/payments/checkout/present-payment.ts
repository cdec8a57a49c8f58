import type Stripe from 'stripe'
import type { Payment } from '#contracts/payments/payments.ts'
import { invoiceWork } from '#domain/invoices/invoice-work.ts'

/** The fields of a paid invoice that the success page receives. */
export function presentPayment(invoice: Stripe.Invoice, email: string | null): Payment {
  const paidAt = invoice.status_transitions.paid_at
  const description = invoiceWork(invoice.lines.data.map((line) => line.description))
  return {
    status: invoice.status ?? 'open',
    invoiceId: invoice.id,
    invoiceNumber: invoice.number ?? '',
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    paidAt: paidAt === null ? null : new Date(paidAt * 1000).toISOString(),
    ...(email ? { customerEmail: email } : {}),
    ...(description ? { description } : {}),
  }
}

/**
 * Masks an email address: 'dana@example.com' becomes 'd•••@example.com', which its owner recognizes but nobody else can
 * use.
 */
export function maskEmail(email: string | null): string | null {
  const at = email?.lastIndexOf('@') ?? -1
  return email && at > 0 ? `${email.slice(0, 1)}•••${email.slice(at)}` : null
}
