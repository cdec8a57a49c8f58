import { readFileSync } from 'node:fs'
import { escapeHtml } from '#domain/text/escape-html.ts'
import { invoiceFileName } from '#domain/invoices/invoice-file-name.ts'
import type { InvoiceDocument, InvoiceIssuer } from './invoice-document.ts'
import { type InvoiceText, formatInvoice } from './invoice-text.ts'
import { type LabeledAmount, lineHeadings, type LineText } from './line-text.ts'
import type { WorkText } from './work-text.ts'

/** HTML that can be sent without escaping. Only the function `html` creates it. */
class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const read = (file: string) => readFileSync(new URL(file))

/** The font file of the site, the only font that the page's content security policy allows. */
export const invoicePageFont = read(import.meta.resolve('#web/fonts/archivo-site.woff2'))

const stylesheets = [
  read(import.meta.resolve('#web/styles/tokens.css')),
  read(import.meta.resolve('./invoice-page.css')),
]
const styles = new Markup(`<style>${stylesheets.join('\n')}</style>`)

/**
 * Renders an invoice as an HTML page for browsers that show no PDF in a frame. The page shows the same lines, amounts
 * and dates as the PDF at `pdfUrl`, contains no script, and adapts to any screen width.
 */
export function renderInvoicePage(invoice: InvoiceDocument, pdfUrl: string): string {
  const text = formatInvoice(invoice)
  const title = `Invoice ${text.number}`
  return page(
    invoice.shop,
    title,
    // The page scrolls inside a frame, so keyboard users must be able to focus its main element.
    html`<main tabindex="0" aria-label="${title}">
      ${heading(invoice.shop, text)}${parties(text)}
      ${text.work ? work(text.work) : table(text.lines)}${sums(text)}
      ${section('Third-party payer', text.payer)}
      ${text.memo !== '' && html`<p class="memo">${text.memo}</p>`}
      ${section('Authorizations', text.work?.authorizations ?? [])}
      ${section('Conditions', [text.conditions])}
      <p class="file">
        <a href="${pdfUrl}" download="${invoiceFileName(text.number)}">Download the PDF</a>
      </p>
    </main>`,
  )
}

/** Renders a page with a message for an invoice that cannot be shown. */
export function renderInvoiceRefusal(shop: Named, message: string): string {
  return page(shop, 'Invoice', html`<main class="refusal"><p>${message}</p></main>`)
}

type Named = Pick<InvoiceIssuer, 'name'>

function page(shop: Named, title: string, main: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | ${shop.name}</title>
        ${styles}
      </head>
      <body>
        ${main}
      </body>
    </html> `.text
}

function heading(shop: InvoiceIssuer, { number, issued, stamp, issuer }: InvoiceText): Markup {
  return html`<header class="sides">
      <div>
        <p class="brand">${shop.name}</p>
        ${issuer.map((line) => html`<p>${line}</p>`)}
      </div>
      <div class="end">
        <h1>Invoice <span>${number}</span></h1>
        <p>${issued}</p>
      </div>
    </header>
    ${stamp && html`<p class="stamp ${stamp.isPaid ? 'paid' : 'void'}">${stamp.text}</p>`}`
}

function parties({ billedTo, due }: InvoiceText): Markup {
  const [first, ...others] = billedTo
  return html`<dl class="parties sides">
    <div>
      <dt>Billed to</dt>
      <dd class="strong">${first}</dd>
      ${others.map((line) => html`<dd>${line}</dd>`)}
    </div>
    ${
      due !== undefined &&
      html`<div class="end">
        <dt>Due</dt>
        <dd class="strong">${due}</dd>
      </div>`
    }
  </dl>`
}

// The explicit ARIA roles are needed because some browsers drop the table semantics of rows with a grid layout.
function table(lines: readonly LineText[]): Markup {
  return html`<table class="lines" role="table">
    <thead role="rowgroup">
      <tr role="row">
        ${lineHeadings.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${lines.map(
        (line) =>
          html`<tr role="row">
            <td role="cell" class="description">${line.description}</td>
            <td role="cell">${line.quantity}</td>
            <td role="cell">${line.unitPrice}</td>
            <td role="cell">${line.amount}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/**
 * Renders the vehicle, its jobs and the totals per line kind (labor, parts and others), in the same order as the PDF.
 */
function work({ vehicle, jobs, sums: byKind }: WorkText): Markup {
  return html`${vehicle.length > 0 && html`<p class="vehicle">${vehicle.join(', ')}</p>`}
    ${jobs.map(
      (job) =>
        html`<section class="job">
          <h2><span>${job.title}</span> <span>${job.total}</span></h2>
          <p class="muted">${job.states}</p>
          ${job.customerDescription !== '' && html`<p>${job.customerDescription}</p>`}
          ${job.terms.map((term) => html`<p>${term}</p>`)} ${table(job.lines)}
        </section>`,
    )}
    <dl class="sums">${figures(byKind)}</dl>`
}

function section(title: string, paragraphs: readonly string[]): Markup | false {
  const some = paragraphs.filter((text) => text !== '')
  if (some.length === 0) return false
  return html`<section class="fine-print">
    <h2>${title}</h2>
    ${some.map((text) => html`<p>${text}</p>`)}
  </section>`
}

function figures(all: readonly LabeledAmount[]): Markup[] {
  return all.map(
    ({ label, amount }) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${amount}</dd>
      </div>`,
  )
}

function sums({ beforeDue, dueSum }: InvoiceText): Markup {
  return html`<dl class="sums">
    ${figures(beforeDue)}
    <div class="due">
      <dt>${dueSum.label}</dt>
      <dd>${dueSum.amount}</dd>
    </div>
  </dl>`
}

type Value = string | number | null | undefined | false | Markup | readonly Markup[]

/** A template tag that escapes every value except HTML from this tag; null, undefined and false render nothing. */
function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + inMarkup(values[index - 1]) + part))
}

function inMarkup(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map((item) => item.text).join('')
  return escapeHtml(String(value))
}
