import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { adminInvoice } from '#contracts/invoices/invoices.ts'

/** The invoice of an estimate's approved jobs, and the PDF of an estimate (docs/product.md 15.20, 15.24). */
export const estimateInvoiceEndpoints = {
  /**
   * Creates the one invoice of an estimate; a repeated request returns the same invoice. `seenVersion` is the
   * estimate's version. The database determines the approved jobs and their prices.
   */
  bill: {
    method: 'POST',
    path: '/api/admin/estimate/invoice',
    caller: 'admin',
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
      /** Whether the email stays in the outbox because no mail server is configured. */
      isEmailInOutbox: z.boolean(),
    }),
  },
  /** The latest revision as a PDF, also while it is a draft. */
  pdf: {
    method: 'GET',
    path: '/api/admin/estimate/:id/pdf',
    caller: 'admin',
    request: z.object({ id: z.uuid() }),
  },
} satisfies Record<string, Endpoint>
