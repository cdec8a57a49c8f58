import { createHmac, timingSafeEqual } from 'node:crypto'
import { fillPath } from '#contracts/api/endpoint.ts'
import { invoiceDocumentEndpoints } from '#contracts/invoices/invoice-documents.ts'

/** The time for which a signed link to the document of an invoice is valid. */
const linkSeconds = 15 * 60

/** Creates and checks links that open an invoice's document without a sign-in. */
export type SignedInvoiceUrls = {
  /**
   * Returns links to the PDF and the HTML page of an invoice. The links are valid for fifteen minutes, and nobody can
   * guess them.
   */
  linksTo(invoiceId: string): DocumentUrls
  /** Returns the invoice id in a token; undefined when the token is forged or has expired. */
  open(token: string): string | undefined
}

type DocumentUrls = { readonly pdfUrl: string; readonly pageUrl: string }

/** `now` returns milliseconds since 1970; `key` is the shop's secret that signs the links. */
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

/** Returns the URLs of the PDF and the HTML page of an invoice, which share one token. */
export function documentUrls(token: string): DocumentUrls {
  const { pdf, page } = invoiceDocumentEndpoints
  return { pdfUrl: fillPath(pdf, { token }).path, pageUrl: fillPath(page, { token }).path }
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
