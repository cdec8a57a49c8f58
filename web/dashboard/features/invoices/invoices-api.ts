import {
  type AdminInvoice,
  type CreateInvoiceResponse,
  type CreateInvoiceRequest,
  invoiceEndpoints,
} from '#contracts/invoices/invoices.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/** The maximum number of listed invoices (docs/product.md 9.5). */
const listLimit = 25

/** The data of the invoice that the server creates. */
export type InvoiceOrder = CreateInvoiceRequest

/**
 * Creates an invoice, or throws an `ApiError` with the server's message. If the call is repeated with the same
 * idempotency key, for example after a lost response, the server creates only one invoice.
 */
export async function createInvoice(
  order: InvoiceOrder,
  idempotencyKey: string,
): Promise<CreateInvoiceResponse> {
  return orThrow(await callAsAdmin(invoiceEndpoints.create, order, idempotencyKey))
}

/** The invoices of the last `days` days, newest first. */
export async function listInvoices(days: number): Promise<AdminInvoice[]> {
  return orThrow(await callAsAdmin(invoiceEndpoints.list, { limit: listLimit, days })).invoices
}
