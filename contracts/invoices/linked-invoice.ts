import * as z from 'zod/mini'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { command } from '#contracts/commands/command.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { invoiceId } from './invoice-id.ts'
import type { ListedInvoice } from './invoice-list.ts'

/**
 * An invoice as everyone who has its link can read it: without the customer's name, phone number and email address, and
 * without the vehicle's license plate and VIN.
 */
export type LinkedInvoice = {
  readonly number: string | null
  readonly state: ListedInvoice['state']
  readonly currency: string
  /** The due date: 'yyyy-MM-dd'. */
  readonly dueDate: string | null
  readonly totalCents: number
  readonly paidCents: number
  readonly balanceCents: number
  /**
   * The billed jobs of the estimate or, for an invoice without an estimate, the lines of the invoice; empty when the
   * shop does not know the jobs or lines. `cents` includes the tax.
   */
  readonly work: readonly {
    readonly position: number
    readonly description: string
    readonly cents: number
  }[]
}

/**
 * Returns the link of an invoice that staff hand over, in two forms: the URL for the QR code, and the URL that the
 * customer can type.
 */
export const handOverInvoiceEndpoint = {
  method: 'POST',
  path: '/api/invoice/hand-over',
  rights: 'admin',
  request: z.object({ invoiceId: z.string().check(z.minLength(4), z.maxLength(100)) }),
  response: z.object({ ok: z.literal(true), url: z.string(), typedUrl: z.string() }),
} satisfies Endpoint

/** Downloads an invoice as a PDF in letter format, with the QR code and the URL that open the invoice. */
export const printInvoiceEndpoint = {
  method: 'GET',
  path: '/api/admin/invoice/:id/print',
  rights: 'admin',
  request: z.object({ id: invoiceId }),
} satisfies Endpoint

/**
 * Emails an invoice with its link to an email address that staff enter. The email address in the customer's record does
 * not change.
 */
export const emailInvoiceCommand = command(
  'email-invoice',
  z.object({ invoiceId, email: z.string().check(z.refine(isEmailAddress), z.maxLength(254)) }),
  z.object({ email: z.string() }),
)
