import type { Shop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import type { InvoiceIssuer } from '../document/invoice-document.ts'
import { keepRecent } from './invoice-pdfs.ts'
import { type PrintableEstimate, readPrintableEstimate } from '../document/read-printable.ts'
import { renderEstimatePdf } from './render-estimate-pdf.ts'

/** A PDF and its file name for the browser. */
export type EstimatePdf = { readonly bytes: Buffer; readonly fileName: string }

type Printing = { readonly database: Database; readonly shop: Shop }

/**
 * The maximum size of the cache of rendered PDFs in bytes. A long estimate takes seconds to render, and any client
 * with the link can request the PDF repeatedly.
 */
const cacheBytes = 8 * 1024 * 1024

type PrintInput = { readonly shop: InvoiceIssuer; readonly printable: PrintableEstimate }
const print = keepRecent(
  ({ shop, printable }: PrintInput) => renderEstimatePdf(shop, printable),
  cacheBytes,
)

/**
 * Renders an estimate as a PDF: the latest revision for staff, even a draft, and the latest sent revision for the
 * customer. Returns undefined when no such revision exists.
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
