import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import { type InvoiceDocument, readInvoiceDocument } from '../document/invoice-document.ts'
import { renderInvoicePdf } from './render-invoice-pdf.ts'

/** The maximum size of the cache of rendered PDFs in bytes; the least recently used PDFs are removed first. */
const cacheBytes = 16 * 1024 * 1024

type AdaptDocument = (document: InvoiceDocument) => InvoiceDocument

export type InvoicePdfs = {
  /**
   * Reads the data of an invoice and returns a function that renders the PDF. `prepare` throws when Stripe is
   * unavailable; the returned function throws when the rendering fails. `adapt` changes the document before the
   * rendering, for example removes personal data.
   */
  prepare(invoice: Stripe.Invoice, adapt?: AdaptDocument): Promise<() => Promise<Buffer>>
}

/**
 * Creates the renderer of invoice PDFs with its cache. An unchanged invoice that is still in the cache is not rendered
 * again.
 */
export function createInvoicePdfs(
  stripe: Stripe,
  database: Database,
  currentShop: CurrentShop,
): InvoicePdfs {
  const print = keepRecent(renderInvoicePdf, cacheBytes)
  return {
    async prepare(invoice, adapt = (document) => document) {
      const document = await readInvoiceDocument({ stripe, database, shop: currentShop() }, invoice)
      const adapted = adapt(document)
      return () => print(adapted)
    },
  }
}

/**
 * Returns the PDF renderer `print` with a cache for up to `maxBytes` of PDFs. Simultaneous calls with equal documents
 * share one rendering.
 */
export function keepRecent<Document>(
  print: (document: Document) => Promise<Buffer>,
  maxBytes: number,
): (document: Document) => Promise<Buffer> {
  const cache = new Map<string, Promise<Buffer>>()
  const sizes = new Map<string, number>()
  let total = 0

  const forget = (key: string) => {
    cache.delete(key)
    total -= sizes.get(key) ?? 0
    sizes.delete(key)
  }
  const add = async (key: string, document: Document) => {
    try {
      const pdf = await print(document)
      sizes.set(key, pdf.length)
      total += pdf.length
      for (const oldest of cache.keys()) {
        if (total <= maxBytes || oldest === key) break
        forget(oldest)
      }
      return pdf
    } catch (error) {
      cache.delete(key)
      throw error
    }
  }
  return (document) => {
    const key = createHash('sha256').update(JSON.stringify(document)).digest('base64')
    const cached = cache.get(key)
    cache.delete(key)
    const pdf = cached ?? add(key, document)
    cache.set(key, pdf)
    return pdf
  }
}
