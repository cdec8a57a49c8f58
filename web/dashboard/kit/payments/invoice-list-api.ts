import { invoiceList, type ListedInvoice, listedInvoice } from '#contracts/invoices/invoice-list.ts'
import { isPayable } from '#domain/invoices/invoice-age.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Reads one invoice with its balance; null for an unknown id. */
export async function readListedInvoice(id: string): Promise<ListedInvoice | null> {
  const { data } = await requestData((service) =>
    service.rpc('read_listed_invoice', { invoice_id: id }),
  )
  return data === null ? null : listedInvoice.parse(data)
}

/** Reads the payable invoice of a booking; null if the booking has none. */
export async function readPayableInvoice(bookingId: string): Promise<ListedInvoice | null> {
  const { data } = await requestData((service) =>
    service.from('invoices').select('invoice_id').eq('booking_id', bookingId).neq('status', 'void'),
  )
  const invoices = await Promise.all(data.map(({ invoice_id: id }) => readListedInvoice(id)))
  return invoices.find((invoice) => invoice !== null && isPayable(invoice)) ?? null
}

/** The newest invoices that are open, at most 500. */
export async function listOpenInvoices(): Promise<ListedInvoice[]> {
  const { data } = await requestData((service) =>
    service.rpc('list_invoices', { filter: 'open', max_rows: 500 }),
  )
  return invoiceList.parse(data).invoices
}
