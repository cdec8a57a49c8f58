import { type ListedInvoice, listedInvoice } from '#contracts/invoices/invoice-list.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** One invoice with its balance; null when it is unknown. */
export async function readListedInvoice(id: string): Promise<ListedInvoice | null> {
  const { data } = await requestData((service) =>
    service.rpc('read_listed_invoice', { invoice_id: id }),
  )
  return data === null ? null : listedInvoice.parse(data)
}
