import {
  type AdminInvoice,
  createInvoiceResponse,
  type CreateInvoiceResponse,
  listInvoicesResponse,
} from '#contracts/invoices.ts'
import { getJson, postJson } from '#web/lib/api.ts'
import { askApi } from '#web/lib/ask-api.ts'

/** How many invoices the list shows at most (docs/product.md 9.5). */
const listLimit = 25

/** What POST /api/invoice/create is sent (docs/product.md 7.1). */
export type InvoiceOrder = {
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly lineItems: readonly {
    readonly description: string
    /** US dollars for one piece. */
    readonly amount: number
    readonly quantity: number
  }[]
  readonly memo: string
  readonly dueDays: number
  readonly sendEmail: boolean
  readonly currency: 'usd'
}

/**
 * Creates an invoice, or throws an `ApiRefusal` with the server's words. Sent again under the same key, as
 * after an answer that got lost, it is still one invoice.
 */
export function createInvoice(
  order: InvoiceOrder,
  idempotencyKey: string,
): Promise<CreateInvoiceResponse> {
  return askApi(() => postJson('/api/invoice/create', order, idempotencyKey), createInvoiceResponse)
}

/** The invoices of the last `days` days, newest first. */
export async function listInvoices(days: number): Promise<AdminInvoice[]> {
  const path = `/api/invoice/list?limit=${listLimit}&days=${days}`
  return (await askApi((signal) => getJson(path, signal), listInvoicesResponse)).invoices
}
