import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

const link = z.object({ token: z.string() })

/**
 * The endpoints for the PDF and the HTML page of an invoice. A visitor needs the token that the invoice lookup
 * returned.
 */
export const invoiceDocumentEndpoints = {
  pdf: { method: 'GET', path: '/api/invoice/pdf/:token', rights: 'link', request: link },
  page: { method: 'GET', path: '/api/invoice/page/:token', rights: 'link', request: link },
} satisfies Record<string, Endpoint>
