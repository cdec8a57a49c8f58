import type { InvoiceDocument } from './invoice-document.ts'
import { type InvoiceText, formatInvoice } from './invoice-words.ts'
import { type PdfPage, renderPdf } from './paper-sheet.ts'
import type { WorkText } from './work-words.ts'

/** The shop's invoice as a PDF. The same document always gives the same pages. */
export async function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const { shop } = invoice
  const words = formatInvoice(invoice)
  const cover = {
    title: `Invoice ${words.number}`,
    author: shop.legalName,
    subject: `Invoice of ${shop.name}`,
    madeAt: new Date(invoice.issuedAt * 1000),
  }
  return renderPdf(cover, (sheet) => {
    const { issuer, number, issued, stamp, billedTo, due, work } = words
    sheet.heading({ name: shop.name, lines: issuer }, 'Invoice', number, issued)
    if (stamp) sheet.stamp(stamp)
    const until = due === undefined ? undefined : { label: 'Due', lines: [due] }
    sheet.parties({ label: 'Billed to', lines: billedTo }, until)
    if (work) drawWork(sheet, work)
    else sheet.table(words.lines)
    drawSums(sheet, words)
    sheet.paragraph(words.memo)
    sheet.section('Authorizations', work?.authorizations ?? [])
    sheet.section('Conditions', [words.conditions])
    sheet.finish(`${shop.name}, invoice ${number}`)
  })
}

/** The car, its jobs, and what they come to by kind. */
export function drawWork(sheet: PdfPage, { vehicle, jobs, sums }: WorkText): void {
  if (vehicle.length > 0) sheet.parties({ label: 'Car', lines: vehicle }, undefined)
  for (const job of jobs) sheet.job(job)
  sheet.figures(sums)
  sheet.space(6)
}

function drawSums(sheet: PdfPage, { beforeDue, dueSum }: InvoiceText): void {
  sheet.figures(beforeDue)
  if (beforeDue.length > 0) sheet.space(6)
  sheet.total(dueSum)
}
