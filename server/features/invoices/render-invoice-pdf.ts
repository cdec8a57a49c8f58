import PdfKit from 'pdfkit'
import { addressLine } from '#domain/shop.ts'
import type { InvoiceDocument, InvoiceIssuer } from './invoice-document.ts'
import { type InvoiceWords, lineHeads, type LineWords, wordInvoice } from './invoice-words.ts'
import { PdfText, type TextStyle } from './pdf-text.ts'

type Pdf = InstanceType<typeof PdfKit>
type Structure = ReturnType<Pdf['struct']>

/** US Letter, in points. */
const page = { width: 612, height: 792, left: 54, right: 558, top: 60, bottom: 722 }
const column = { description: 262, quantity: 372, unit: 464, amount: page.right }
const tableHeads = [
  [lineHeads[0], page.left, 'left'],
  [lineHeads[1], column.quantity, 'right'],
  [lineHeads[2], column.unit, 'right'],
  [lineHeads[3], column.amount, 'right'],
] as const

const ink = '#0b2433'
const muted = '#465f6d'
const hairline = '#cbdce4'
const signal = '#ff7a1f'

const body: TextStyle = { face: 'regular', size: 9.5, color: ink }
const strong: TextStyle = { face: 'bold', size: 10.5, color: ink }
const label: TextStyle = { face: 'regular', size: 9, color: muted }
const right = (style: TextStyle): TextStyle => ({ ...style, align: 'right' })
const lineHeight = (style: TextStyle) => style.size * 1.4

/**
 * The shop's invoice as a PDF: tagged (PDF/UA structure, language and title), on US Letter, with the
 * table's heads on every page. The same document always gives the same pages.
 */
export async function renderInvoicePdf(invoice: InvoiceDocument): Promise<Buffer> {
  const { shop } = invoice
  const pdf = new PdfKit({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    // The typings do not know this subset yet; the library does.
    subset: 'PDF/UA' as 'PDF/A-3a',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: shop.legalName,
      Subject: `Invoice of ${shop.name}`,
      CreationDate: new Date(invoice.issuedAt * 1000),
    },
  })
  const finished = collect(pdf)
  const sheet = new InvoiceSheet(pdf, shop)
  const words = wordInvoice(invoice)
  sheet.heading(words)
  sheet.parties(words)
  sheet.table(words)
  sheet.totals(words)
  sheet.memo(words)
  sheet.finish(words)
  return finished
}

/** Draws from top to bottom; `y` is where the next thing goes. */
class InvoiceSheet {
  private readonly pdf: Pdf
  private readonly shop: InvoiceIssuer
  private readonly text: PdfText
  private readonly root: Structure
  private y = page.top

  constructor(pdf: Pdf, shop: InvoiceIssuer) {
    this.pdf = pdf
    this.shop = shop
    this.text = new PdfText(pdf)
    this.root = pdf.struct('Document')
    pdf.addStructure(this.root)
    this.strip()
  }

  heading(invoice: InvoiceWords): void {
    const title: TextStyle = { face: 'heading', size: 15, color: ink }
    this.tag('P', () => this.brand())
    this.tag('H1', () => {
      this.text.line('Invoice', page.right, this.y, right(title))
      this.text.line(invoice.number, page.right, this.y + 24, right(strong))
    })
    this.tag('P', () => {
      this.text.line(addressLine(this.shop), page.left, this.y + 32, body)
      this.text.line(this.shop.phone.display, page.left, this.y + 46, body)
      this.text.line(invoice.issued, page.right, this.y + 39, right(body))
    })
    this.y += 88
    const { stamp } = invoice
    if (stamp) this.tag('P', () => this.stamp(stamp.words, stamp.isPaid ? ink : muted))
  }

  parties({ billedTo, due }: InvoiceWords): void {
    const top = this.y
    this.tag('P', () => {
      this.text.line('Billed to', page.left, this.y, label)
      this.y += 15
      for (const [index, line] of billedTo.entries()) {
        this.block(line, page.left, 300, index === 0 ? strong : body)
      }
    })
    if (due !== undefined) {
      this.tag('P', () => {
        this.text.line('Due', page.right, top, right(label))
        this.text.line(due, page.right, top + 15, right(strong))
      })
    }
    this.y = Math.max(this.y, top + 30) + 22
  }

  table({ lines }: InvoiceWords): void {
    const table = this.pdf.struct('Table')
    this.root.add(table)
    this.tableHead(table)
    for (const line of lines) this.tableRow(table, line)
    table.end()
    this.y += 12
  }

  totals({ beforeDue, dueSum }: InvoiceWords): void {
    const isPartlyPaid = beforeDue.length > 0
    this.keepTogether(isPartlyPaid ? 100 : 60)
    for (const { label: words, amount } of beforeDue) this.totalLine(words, amount, body)
    if (isPartlyPaid) this.y += 6
    this.tag('P', () => {
      const large: TextStyle = { face: 'heading', size: 20, color: ink, align: 'right' }
      this.text.line(dueSum.label, page.left, this.y + 7, strong)
      this.text.line(dueSum.amount, page.right, this.y, large)
    })
    this.y += 32
    this.rule(ink, 1.5)
    this.y += 16
  }

  memo({ memo }: InvoiceWords): void {
    const style = label
    const lines = memo === '' ? [] : this.text.wrap(memo, page.right - page.left, style)
    for (const line of lines) {
      this.keepTogether(lineHeight(style))
      this.tag('P', () => this.text.line(line, page.left, this.y, style))
      this.y += lineHeight(style)
    }
  }

  /** Page numbers can be written only now that their count is known. */
  finish({ number }: InvoiceWords): void {
    this.root.end()
    const { start, count } = this.pdf.bufferedPageRange()
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(start + index)
      this.artifact(() => {
        this.text.line(`${this.shop.name}, invoice ${number}`, page.left, 748, label)
        this.text.line(`Page ${index + 1} of ${count}`, page.right, 748, right(label))
      })
    }
    this.pdf.end()
  }

  private brand(): void {
    const name: TextStyle = { face: 'heading', size: 20, color: ink }
    this.text.line(this.shop.name, page.left, this.y, name)
  }

  /** The shop's sign for what is checked and done: a slanted stripe of paint beside the word. */
  private stamp(words: string, color: string): void {
    const { pdf, y } = this
    pdf.save().fillColor(signal)
    pdf.polygon(
      [page.left, y + 18],
      [page.left + 6, y - 3],
      [page.left + 14, y - 3],
      [page.left + 8, y + 18],
    )
    pdf.fill().restore()
    this.text.line(words, page.left + 22, y, { face: 'heading', size: 13, color })
    this.y += 36
  }

  private tableHead(table: Structure): void {
    const row = this.pdf.struct('TR')
    table.add(row)
    for (const [words, x, align] of tableHeads) {
      const cell = this.pdf.struct('TH', { scope: 'Column' } as object)
      row.add(cell)
      this.content(cell, 'TH', () => this.text.line(words, x, this.y, { ...label, align }))
    }
    row.end()
    this.y += 15
    this.rule(ink, 1.5)
    this.y += 9
  }

  private tableRow(table: Structure, line: LineWords): void {
    const words = this.text.wrap(line.description, column.description, body)
    const height = words.length * lineHeight(body)
    if (this.y + height > page.bottom) {
      this.nextPage()
      this.tableHead(table)
    }
    const top = this.y
    const row = this.pdf.struct('TR')
    table.add(row)
    this.cell(row, () => {
      words.forEach((part, index) => {
        this.text.line(part, page.left, top + index * lineHeight(body), body)
      })
    })
    const figures: [string, number][] = [
      [line.quantity, column.quantity],
      [line.unitPrice, column.unit],
      [line.amount, column.amount],
    ]
    for (const [figure, x] of figures) {
      this.cell(row, () => this.text.line(figure, x, top, right(body)))
    }
    row.end()
    this.y = top + height + 3
    this.rule(hairline, 0.75)
    this.y += 8
  }

  private totalLine(words: string, amount: string, style: TextStyle): void {
    this.tag('P', () => {
      this.text.line(words, page.left, this.y, style)
      this.text.line(amount, page.right, this.y, right(style))
    })
    this.y += 17
  }

  private block(text: string, x: number, width: number, style: TextStyle): void {
    for (const line of this.text.wrap(text, width, style)) {
      this.text.line(line, x, this.y, style)
      this.y += lineHeight(style)
    }
  }

  private cell(row: Structure, draw: () => void): void {
    const cell = this.pdf.struct('TD')
    row.add(cell)
    this.content(cell, 'TD', draw)
  }

  /** One element of the structure tree and what it shows, on one page. */
  private tag(type: string, draw: () => void): void {
    const element = this.pdf.struct(type)
    this.root.add(element)
    this.content(element, type, draw)
  }

  private content(element: Structure, type: string, draw: () => void): void {
    const marked = this.pdf.markStructureContent(type)
    draw()
    this.pdf.endMarkedContent()
    element.add(marked)
    element.end()
  }

  /** What a screen reader should pass over. */
  private artifact(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' })
    draw()
    this.pdf.endMarkedContent()
  }

  private rule(color: string, width: number): void {
    this.artifact(() => {
      this.pdf.moveTo(page.left, this.y).lineTo(page.right, this.y)
      this.pdf.lineWidth(width).strokeColor(color).stroke()
    })
  }

  private strip(): void {
    this.artifact(() => this.pdf.rect(0, 0, page.width, 10).fill(signal))
  }

  private keepTogether(height: number): void {
    if (this.y + height > page.bottom) this.nextPage()
  }

  private nextPage(): void {
    this.pdf.addPage()
    this.strip()
    this.y = page.top
  }
}

function collect(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
}
