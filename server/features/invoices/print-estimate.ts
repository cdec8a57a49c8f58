import type { Shop } from '#domain/shop.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readEstimatePaper } from './read-papers.ts'
import { renderEstimatePdf } from './render-estimate-pdf.ts'

/** A PDF, and what a browser calls it. */
export type PrintedEstimate = { readonly bytes: Buffer; readonly fileName: string }

type Printing = { readonly database: Database; readonly shop: Shop }

/**
 * An estimate as a PDF: its latest revision for the shop, a draft as well; for the customer the one that was handed over
 * last. Undefined when there is none.
 */
export async function printEstimate(
  { database, shop }: Printing,
  estimateId: string,
  isForCustomer: boolean,
): Promise<PrintedEstimate | undefined> {
  const printed = await readEstimatePaper(database, estimateId, isForCustomer)
  if (!printed) return undefined
  const { facts, paper } = printed
  const bytes = await renderEstimatePdf({ ...shop, ...facts }, paper)
  return { bytes, fileName: `${paper.number}.pdf` }
}
