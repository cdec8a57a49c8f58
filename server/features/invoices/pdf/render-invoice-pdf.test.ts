import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCents } from '#domain/money/format-cents.ts'
import { invoiceDocument, invoiceLine } from '#tests/support/app/invoice-document.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import type { InvoiceDocument } from '../document/invoice-document.ts'
import { keepRecent } from './invoice-pdfs.ts'
import { renderInvoicePdf } from './render-invoice-pdf.ts'

const line = invoiceLine
const document = invoiceDocument
const read = async (invoice: InvoiceDocument) => readPdf(await renderInvoicePdf(invoice))

const squeezed = (text: string) => text.replaceAll(/\s+/g, '')

describe('the PDF of an invoice', () => {
  it('contains the parties, the lines, the total and the due date', async () => {
    const { text } = await read(document({ memo: 'Parts and labor\nunder warranty.' }))
    for (const phrase of [
      'Torque & Timing',
      '2130 Example Way, Mountain View, CA 94043',
      'TT-0148',
      'November 18, 2026',
      'November 25, 2026',
      'Dana Whitfield',
      'Front brake pads and rotors',
      '$19.99',
      'Total due',
      'Parts and labor',
      'under warranty.',
      'Page 1 of 1',
    ]) {
      expect(squeezed(text)).toContain(squeezed(phrase))
    }
  })

  it('has tags, a title and the language English for screen readers', async () => {
    const { pages, isTagged, language } = await read(document())
    expect(isTagged).toBe(true)
    expect(language.Title).toBe('Invoice TT-0148')
    expect(language.Language).toBe('en-US')
    expect(pages[0]?.roles).toEqual(
      expect.arrayContaining(['Document', 'H1', 'P', 'Table', 'TR', 'TH', 'TD']),
    )
    expect(pages[0]?.roles.filter((role) => role === 'TH')).toHaveLength(4)
  })

  it('continues sixty lines over several pages, with the headings on each page, without losing a line', async () => {
    const long = 'Synthetic 5W‑30 motor oil, filter and disposal, as agreed on the phone. '.repeat(
      6,
    )
    const lines = Array.from({ length: 60 }, (_, index) =>
      line(`Item ${index + 1} ${index % 9 === 0 ? long : ''}`, 1999, (index % 3) + 1),
    )
    const { pages, text } = await read(document({ lines }))
    expect(pages.length).toBeGreaterThan(2)
    for (const [index, page] of pages.entries()) {
      if (page.roles.includes('TD')) expect(page.text).toContain('Unit price')
      expect(page.text).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    for (let index = 1; index <= 60; index += 1)
      expect(text).toMatch(new RegExp(`Item ${index}\\b`))
    expect(squeezed(text).split('5W‑30').length - 1).toBe(7 * 6)
    expect(text).toContain(
      formatCents(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    )
  })

  it('prints names in other scripts, and a replacement character for a missing glyph', async () => {
    const name = 'Łukasz Żółć · Дмитрий · Ελένη · 王小明 · 田中さん'
    const { text } = await read(document({ customer: { name, email: 'x@y.z', phone: '' } }))
    for (const part of name.split(' · ')) expect(squeezed(text)).toContain(squeezed(part))
    const { text: other } = await read(
      document({ customer: { name: 'Ann 🚗', email: 'x@y.z', phone: '' } }),
    )
    expect(other).toContain('Ann \ufffd')
  })

  it('breaks long text without spaces within the page width', async () => {
    const { pages } = await read(document({ lines: [line('Ω'.repeat(400))] }))
    expect(pages[0]?.right).toBeLessThan(560)
    expect(squeezed(pages[0]?.text ?? '').split('Ω').length - 1).toBe(400)
  })

  it('prints markup as text, and removes characters that change the text direction', async () => {
    const { text } = await read(document({ lines: [line('<b>Oil</b>\u202Egnp.exe')] }))
    expect(text).toContain('<b>Oil</b>gnp.exe')
  })

  it('marks a paid invoice, with no amount due', async () => {
    const { text } = await read(
      document({ status: 'paid', paidAt: 1_795_200_000, paidCents: 1999, dueCents: 0 }),
    )
    expect(text).toMatch(/Paid November \d+, 2026/)
    expect(text).toContain('Amount due')
    expect(text).toContain('$0.00')
  })

  it('prints the exact amount of every line and the exact total', async () => {
    const cents = fc.integer({ min: 1, max: 99_999 })
    const someLines = fc.array(fc.tuple(cents, fc.integer({ min: 1, max: 99 })), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(someLines, async (pairs) => {
        const lines = pairs.map(([unit, quantity]) => line('Part', unit, quantity))
        const { text } = await read(document({ lines }))
        const total = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
        for (const { amountCents } of lines) expect(text).toContain(formatCents(amountCents))
        expect(text).toContain(formatCents(total))
      }),
      { numRuns: 15 },
    )
  })

  it('has the same bytes each time the same invoice is rendered', async () => {
    const [first, second] = [await renderInvoicePdf(document()), await renderInvoicePdf(document())]
    expect(first.length).toBeGreaterThan(1000)
    expect(first.equals(second)).toBe(true)
  })
})

describe('cached PDFs', () => {
  it('are rendered once per state of the invoice, even for simultaneous requests', async () => {
    let printed = 0
    const print = keepRecent(async () => Buffer.alloc((printed += 1)), 1000)
    await Promise.all([print(document()), print(document())])
    expect(printed).toBe(1)
    await print(document({ status: 'paid' }))
    expect(printed).toBe(2)
  })

  it('are removed when the cache is full, the least recently used first', async () => {
    let printed = 0
    const print = keepRecent(async () => {
      printed += 1
      return Buffer.alloc(400)
    }, 1000)
    for (const number of ['A', 'B', 'A', 'C', 'A']) await print(document({ number }))
    expect(printed).toBe(3)
    await print(document({ number: 'B' }))
    expect(printed).toBe(4)
  })

  it('do not include failed renderings', async () => {
    let fails = true
    const print = keepRecent(async () => {
      if (fails) throw new Error('no ink')
      return Buffer.alloc(1)
    }, 1000)
    await expect(print(document())).rejects.toThrow('no ink')
    fails = false
    expect(await print(document())).toHaveLength(1)
  })
})
