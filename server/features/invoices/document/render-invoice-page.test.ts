import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { escapeHtml } from '#domain/text/escape-html.ts'
import { invoiceDocument, invoiceLine } from '#tests/support/app/invoice-document.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { renderInvoicePage, renderInvoiceRefusal } from './render-invoice-page.ts'
import { renderInvoicePdf } from '../pdf/render-invoice-pdf.ts'

const characters = new Map(['&', '<', '>', '"', "'"].map((text) => [escapeHtml(text), text]))

/** Returns the visible text of an HTML page. */
function textOf(page: string): string {
  return page
    .replaceAll(/<style>[\s\S]*?<\/style>|<title>.*?<\/title>|<[^>]*>/g, ' ')
    .replaceAll(/&[#\w]+;/g, (entity) => characters.get(entity) ?? entity)
    .replaceAll(/\s+/g, ' ')
}
const show = (change: Partial<InvoiceDocument> = {}) =>
  textOf(renderInvoicePage(invoiceDocument(change), '/invoice.pdf'))
const sumsIn = (text: string) => text.match(/\$[\d,]+\.\d\d/g)
const datesIn = (text: string) => text.match(/[A-Z][a-z]+ \d{1,2}, \d{4}/g)?.toSorted()

describe('the HTML page of an invoice', () => {
  it('shows the parties, the lines, the total and the due date', () => {
    const content = show({ memo: 'Parts and labor\nunder warranty.' })
    for (const part of [
      'Torque & Timing',
      '2130 Example Way, Mountain View, CA 94043',
      'Invoice TT-0148',
      'November 18, 2026',
      'Due November 25, 2026',
      'Billed to Dana Whitfield dana@example.com (650) 555-0199',
      'Description Qty Unit price Amount Front brake pads and rotors 1 $19.99 $19.99',
      'Total due $19.99',
      'Parts and labor under warranty.',
    ]) {
      expect(content).toContain(part)
    }
  })

  it('shows the same amounts and dates in the same order as the PDF, for randomly generated lines and payments', async () => {
    const cents = fc.integer({ min: 1, max: 9_999_999 })
    const someLines = fc.array(fc.tuple(cents, fc.integer({ min: 1, max: 99 })), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(
        someLines,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (pairs, part) => {
          const lines = pairs.map(([unit, quantity]) => invoiceLine('Part', unit, quantity))
          const { totalCents } = invoiceDocument({ lines })
          const paidCents = Math.floor(totalCents * part)
          const isPaid = paidCents === totalCents
          const invoice = invoiceDocument({
            lines,
            paidCents,
            dueCents: totalCents - paidCents,
            status: isPaid ? 'paid' : 'open',
            paidAt: isPaid ? 1_795_200_000 : null,
          })
          const { text } = await readPdf(await renderInvoicePdf(invoice))
          const content = textOf(renderInvoicePage(invoice, '/invoice.pdf'))
          expect(sumsIn(content)).toEqual(sumsIn(text))
          expect(datesIn(content)).toEqual(datesIn(text))
        },
      ),
      { numRuns: 15 },
    )
  })

  it('marks paid, partly paid and void invoices', () => {
    expect(show({ status: 'paid', paidAt: 1_795_200_000, paidCents: 1999, dueCents: 0 })).toMatch(
      /Paid November \d+, 2026 .*Total \$19\.99 Amount paid \$19\.99 Amount due \$0\.00/,
    )
    expect(show({ paidCents: 999, dueCents: 1000 })).toContain('Amount due $10.00')
    expect(show({ status: 'void' })).toContain('Void')
  })

  it('escapes untrusted markup, and removes characters that reverse the text direction', () => {
    const attack = '"><script>alert(1)</script>\u202Egnp.exe'
    const page = renderInvoicePage(
      invoiceDocument({
        number: attack,
        customer: { name: attack, email: attack, phone: attack },
        lines: [invoiceLine(attack)],
        memo: attack,
      }),
      `/${attack}`,
    )
    expect(page).not.toContain('<script')
    expect(textOf(page)).toContain('"><script>alert(1)</script>gnp.exe 1 $19.99')
  })

  it('links only to the PDF, and loads no resource except its font', () => {
    const page = renderInvoicePage(invoiceDocument(), '/api/invoice/pdf/token')
    expect(page.match(/(?:href|src|action)="[^"]*"/g)).toEqual(['href="/api/invoice/pdf/token"'])
    expect(page.match(/url\([^)]*\)/g)).toEqual(['url(/api/invoice/archivo-site.woff2)'])
    expect(page).toContain('<meta name="robots" content="noindex" />')
  })

  it('is replaced by a message when the invoice cannot be shown', () => {
    expect(textOf(renderInvoiceRefusal(defaultShop, 'This link has <expired>.'))).toContain(
      'This link has <expired>.',
    )
  })
})
