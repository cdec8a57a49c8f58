import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const link = z.object({ token: z.string() })

/** The invoice itself, for who holds the token that the look-up gave: as a PDF, and as a page of our own. */
export const invoiceDocumentEndpoints = {
  pdf: { method: 'GET', path: '/api/invoice/pdf/:token', request: link },
  page: { method: 'GET', path: '/api/invoice/page/:token', request: link },
} satisfies Record<string, Endpoint>
