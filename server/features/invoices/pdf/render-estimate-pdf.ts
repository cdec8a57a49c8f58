import { formatDate } from '#domain/calendar/calendar-date.ts'
import { estimateName } from '#domain/estimates/estimate-title.ts'
import { unreadOdometer } from '#domain/estimates/odometer-text.ts'
import { payerFacts } from '#domain/estimates/payer.ts'
import type { InvoiceIssuer } from '../document/invoice-document.ts'
import { letterheadLines } from './letterhead-lines.ts'
import { visible } from '../document/line-text.ts'
import { renderPdf } from './pdf-page.ts'
import type { PrintableEstimate } from '../document/read-printable.ts'
import { drawWork } from './render-invoice-pdf.ts'
import { formatWork } from '../document/work-text.ts'

const promise = 'You approve up to this amount. We ask again before we go over it.'

/**
 * Renders an estimate as a PDF for staff and the customer, without the internal note. Equal estimates result in equal
 * pages.
 */
export async function renderEstimatePdf(
  shop: InvoiceIssuer,
  estimate: PrintableEstimate,
): Promise<Buffer> {
  const { kind, number, revision, customer, date, goodUntil, work } = estimate
  const text = formatWork(work, kind === 'repair' ? unreadOdometer : '')
  const title = `${estimateName(kind)} ${number}`
  const until = formatDate(goodUntil)
  const cover = {
    title,
    author: shop.legalName,
    subject: `Estimate of ${shop.name}`,
    madeAt: new Date(`${date}T00:00:00Z`),
  }
  return renderPdf(cover, (pdfPage) => {
    const name = revision === 1 ? number : `${number}, revision ${revision}`
    pdfPage.heading(
      { name: shop.name, lines: letterheadLines(shop) },
      estimateName(kind),
      name,
      formatDate(date),
    )
    if (!estimate.isFrozen) pdfPage.stamp({ text: 'Draft', isPaid: false })
    const lines = [customer.name, customer.email, customer.phone].map(visible)
    pdfPage.parties(
      { label: 'For', lines: lines.filter((line) => line !== '') },
      { label: 'Good until', lines: [until] },
    )
    drawWork(pdfPage, text)
    const jobs = text.jobs.length === 1 ? 'Total' : `Total of ${text.jobs.length} jobs`
    pdfPage.total({ label: jobs, amount: text.total })
    // Until the customer has decided, the estimate contains the sentence about the approval limit. After the decision,
    // the authorizations are printed in place of this sentence.
    if (text.authorizations.length === 0) pdfPage.paragraph(promise)
    const payer = estimate.payer ? payerFacts(estimate.payer) : []
    pdfPage.section(
      'Third-party payer',
      payer.map(([label, fact]) => visible(`${label}: ${fact}`)),
    )
    pdfPage.section('Note', [visible(estimate.customerNote)])
    pdfPage.section('Authorizations', text.authorizations)
    pdfPage.section('Conditions', [visible(shop.conditions)])
    pdfPage.finish(`${shop.name}, ${estimateName(kind).toLowerCase()} ${number}`)
  })
}
