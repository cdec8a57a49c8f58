import { encode } from 'uqr'
import type { InvoiceAddresses, InvoiceDocument } from '../document/invoice-document.ts'
import { type InvoiceText, formatInvoice } from '../document/invoice-text.ts'
import type { CodeBox } from './pdf-code-box.ts'
import { type PdfPage, renderPdf } from './pdf-page.ts'
import type { WorkText } from '../document/work-text.ts'

/** Renders an invoice as a PDF. Equal documents result in equal bytes. */
export async function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const { shop } = invoice
  const text = formatInvoice(invoice)
  const cover = {
    title: `Invoice ${text.number}`,
    author: shop.legalName,
    subject: `Invoice of ${shop.name}`,
    madeAt: new Date(invoice.issuedAt * 1000),
  }
  return renderPdf(cover, (pdfPage) => {
    const { issuer, number, issued, stamp, billedTo, due, work } = text
    pdfPage.heading({ name: shop.name, lines: issuer }, 'Invoice', number, issued)
    if (stamp) pdfPage.stamp(stamp)
    const until = due === undefined ? undefined : { label: 'Due', lines: [due] }
    pdfPage.parties({ label: 'Billed to', lines: billedTo }, until)
    if (work) drawWork(pdfPage, work)
    else pdfPage.table(text.lines)
    drawSums(pdfPage, text)
    if (invoice.link && invoice.dueCents > 0) pdfPage.codeBox(payBox(invoice.link))
    pdfPage.paragraph(text.memo)
    pdfPage.section('Third-party payer', text.payer)
    pdfPage.section('Authorizations', work?.authorizations ?? [])
    pdfPage.section('Conditions', [text.conditions])
    pdfPage.finish(`${shop.name}, invoice ${number}`)
  })
}

/** The box with the QR code and the short URL, with which the customer opens and pays this invoice on a phone. */
function payBox({ url, typedUrl }: InvoiceAddresses): CodeBox {
  return {
    modules: encode(url, { ecc: 'M', border: 0 }).data,
    alternative: `QR code that opens ${url}`,
    title: 'Pay with your phone',
    text: 'Scan the code, or type',
    address: typedUrl.replace(/^https?:\/\//, ''),
    hint: 'At the counter we accept cash, checks and cards.',
  }
}

/** Draws the vehicle, the jobs and the totals per kind of line (labor, parts and others). */
export function drawWork(pdfPage: PdfPage, { vehicle, jobs, sums }: WorkText): void {
  if (vehicle.length > 0) pdfPage.parties({ label: 'Car', lines: vehicle }, undefined)
  for (const job of jobs) pdfPage.job(job)
  pdfPage.figures(sums)
  pdfPage.space(6)
}

function drawSums(pdfPage: PdfPage, { beforeDue, dueSum }: InvoiceText): void {
  pdfPage.figures(beforeDue)
  if (beforeDue.length > 0) pdfPage.space(6)
  pdfPage.total(dueSum)
}
