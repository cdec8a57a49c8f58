import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { adminInvoice } from '#contracts/invoices/invoices.ts'

/**
 * The endpoints for invoicing the approved jobs of an estimate and for the PDF of an estimate (docs/product.md 15.20,
 * 15.24).
 */
export const estimateInvoiceEndpoints = {
  /**
   * Creates the invoice of an estimate. An estimate has only one invoice, so a repeated request returns the same
   * invoice. `seenVersion` is the version of the estimate that staff saw. The database determines the approved jobs and
   * their prices.
   */
  bill: {
    method: 'POST',
    path: '/api/admin/estimate/invoice',
    rights: 'admin',
    request: z.object({
      estimateId: z.uuid(),
      seenVersion: z.int(),
      sendEmail: z._default(z.boolean(), false),
    }),
    response: z.object({
      ok: z.literal(true),
      message: z.string(),
      invoice: adminInvoice,
      emailSent: z.boolean(),
      emailError: z.nullable(z.string()),
      /** True when no mail server is configured, so that the email stays in the outbox. */
      isEmailInOutbox: z.boolean(),
    }),
  },
  /** Downloads the latest revision, sent or draft, as a PDF. */
  pdf: {
    method: 'GET',
    path: '/api/admin/estimate/:id/pdf',
    rights: 'admin',
    request: z.object({ id: z.uuid() }),
  },
} satisfies Record<string, Endpoint>
