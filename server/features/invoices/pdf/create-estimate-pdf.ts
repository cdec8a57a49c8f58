import type { Shop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { InvoiceIssuer } from '../document/invoice-document.ts'
import { keepRecent } from './invoice-pdfs.ts'
import { type PrintableEstimate, readPrintableEstimate } from '../document/read-printable.ts'
import { renderEstimatePdf } from './render-estimate-pdf.ts'

/** A PDF, and what a browser calls it. */
export type EstimatePdf = { readonly bytes: Buffer; readonly fileName: string }

type Printing = { readonly database: Database; readonly shop: Shop }

/** Bytes of finished PDFs that are kept. A long one takes seconds, and whoever has the link may ask again and again. */
const cacheBytes = 8 * 1024 * 1024

type PrintInput = { readonly shop: InvoiceIssuer; readonly printable: PrintableEstimate }
const print = keepRecent(
  ({ shop, printable }: PrintInput) => renderEstimatePdf(shop, printable),
  cacheBytes,
)

/**
 * An estimate as a PDF: its latest revision for the shop, a draft as well; for the customer the one that was handed over
 * last. Undefined when there is none.
 */
export async function createEstimatePdf(
  { database, shop }: Printing,
  estimateId: string,
  isForCustomer: boolean,
): Promise<EstimatePdf | undefined> {
  const printed = await readPrintableEstimate(database, estimateId, isForCustomer)
  if (!printed) return undefined
  const { facts, printable } = printed
  const { name, legalName, address, phone } = shop
  const bytes = await print({ shop: { name, legalName, address, phone, ...facts }, printable })
  return { bytes, fileName: `${printable.number}.pdf` }
}
