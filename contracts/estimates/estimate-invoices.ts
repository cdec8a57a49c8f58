import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { adminInvoice } from '#contracts/invoices/invoices.ts'

/** The invoice of an estimate's approved jobs, and an estimate on paper (docs/product.md 15.20, 15.24). */
export const estimateInvoiceEndpoints = {
  /**
   * Makes the one invoice of an estimate. Asked again it answers the same invoice. `seenVersion` is the estimate's
   * version; what is approved and what it costs is the database's to say.
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
      /** Whether the email stays in the outbox, because no mail server is set. */
      isEmailInOutbox: z.boolean(),
    }),
  },
  /** The latest revision as a PDF, a draft as well. */
  pdf: {
    method: 'GET',
    path: '/api/admin/estimate/:id/pdf',
    caller: 'admin',
    request: z.object({ id: z.uuid() }),
  },
} satisfies Record<string, Endpoint>
