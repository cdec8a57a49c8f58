import { createHmac, timingSafeEqual } from 'node:crypto'
import { fillPath } from '#contracts/api/endpoint.ts'
import { invoiceDocumentEndpoints } from '#contracts/invoices/invoice-documents.ts'

/** How long a link to an invoice's document opens it. */
const linkSeconds = 15 * 60

/** Makes and checks the links that open an invoice's document without signing in. */
export type SignedInvoiceUrls = {
  /** On our own origin, good for fifteen minutes, not to be guessed. */
  linksTo(invoiceId: string): DocumentUrls
  /** The invoice that a token opens; undefined when it is not ours or has expired. */
  open(token: string): string | undefined
}

type DocumentUrls = { readonly pdfUrl: string; readonly pageUrl: string }

/** `now` is in milliseconds; `key` is the shop's secret for this purpose. */
export function createSignedInvoiceUrls(key: string, now: () => number): SignedInvoiceUrls {
  const sign = (content: string) =>
    createHmac('sha256', key).update(`invoice-pdf:${content}`).digest('base64url')
  return {
    linksTo(invoiceId) {
      const expires = Math.floor(now() / 1000) + linkSeconds
      const content = `${invoiceId}.${expires.toString(36)}`
      return documentUrls(`${content}.${sign(content)}`)
    },
    open(token) {
      const [, content = '', invoiceId, expires = '', signature = ''] =
        /^((in_\w{1,90})\.([0-9a-z]{1,10}))\.([\w-]{43})$/.exec(token) ?? []
      if (!isEqual(signature, sign(content))) return undefined
      return Number.parseInt(expires, 36) * 1000 > now() ? invoiceId : undefined
    },
  }
}

/** One token opens the document in both its forms. */
export function documentUrls(token: string): DocumentUrls {
  const { pdf, page } = invoiceDocumentEndpoints
  return { pdfUrl: fillPath(pdf, { token }).path, pageUrl: fillPath(page, { token }).path }
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
