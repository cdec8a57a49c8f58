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
   * Reads all data of the PDF and returns a function that renders the PDF. The reading throws when Stripe is
   * unavailable; the returned function throws an error of the rendering. `adapt` changes the document before it is
   * rendered, for example to remove personal data.
   */
  prepare(invoice: Stripe.Invoice, adapt?: AdaptDocument): Promise<() => Promise<Buffer>>
}

/** Renders an invoice again only after the invoice changed; other requests are served from a cache. */
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

/** Adds a cache of up to `maxBytes` to `print`. Two simultaneous calls with equal documents share one rendering. */
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
