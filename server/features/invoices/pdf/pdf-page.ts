import PdfKit from 'pdfkit'
import {
  type LabeledAmount,
  lineHeadings,
  type LineText,
  type Stamp,
} from '../document/line-text.ts'
import { type CodeBox, codeBoxHeight, drawCode, drawCodeText, drawFrame } from './pdf-code-box.ts'
import {
  body,
  hairline,
  ink,
  label,
  lineHeight,
  page,
  right,
  signal,
  strong,
} from './pdf-styles.ts'
import { drawStamp } from './pdf-stamp.ts'
import { PdfText, type TextStyle } from './pdf-text.ts'
import type { JobText } from '../document/work-text.ts'

type Pdf = InstanceType<typeof PdfKit>
type Structure = ReturnType<Pdf['struct']>

const column = { description: 262, quantity: 372, unit: 464, amount: page.right }
const tableHeads = [
  [lineHeadings[0], page.left, 'left'],
  [lineHeadings[1], column.quantity, 'right'],
  [lineHeadings[2], column.unit, 'right'],
  [lineHeadings[3], column.amount, 'right'],
] as const

/** The metadata of a document: title, author, subject and date. */
type Cover = {
  /** The title of the document, such as 'Invoice TT-0148'. */
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly madeAt: Date
}

/** A labeled block of text below the letterhead, such as the customer or the due date. */
type Party = { readonly label: string; readonly lines: readonly string[] }

/**
 * Renders a document of the shop as a tagged PDF (PDF/UA structure, language and title) on US Letter. `draw` adds the
 * elements of the page from top to bottom. Equal content results in equal bytes.
 */
export async function renderPdf(
  { title, author, subject, madeAt }: Cover,
  draw: (pdfPage: PdfPage) => void,
): Promise<Buffer> {
  const pdf = new PdfKit({
    size: [page.width, page.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    // pdfkit can create PDF/UA documents, but its type definitions do not contain this option.
    subset: 'PDF/UA' as 'PDF/A-3a',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: title, Author: author, Subject: subject, CreationDate: madeAt },
  })
  const finished = collect(pdf)
  draw(new PdfPage(pdf))
  return finished
}

/** The shop's name and the lines below it (such as the street address) at the top of a document. */
export type Letterhead = { readonly name: string; readonly lines: readonly string[] }

/** Draws the elements of a document from top to bottom; `y` is the vertical position of the next element. */
export class PdfPage {
  private readonly pdf: Pdf
  private readonly text: PdfText
  private readonly root: Structure
  private y = page.top

  constructor(pdf: Pdf) {
    this.pdf = pdf
    this.text = new PdfText(pdf)
    this.root = pdf.struct('Document')
    pdf.addStructure(this.root)
    this.strip()
  }

  /** Draws the shop's letterhead on the left and the document's kind, number and date on the right. */
  heading(shop: Letterhead, kind: string, number: string, date: string): void {
    const title: TextStyle = { face: 'heading', size: 15, color: ink }
    const name: TextStyle = { face: 'heading', size: 20, color: ink }
    const { y } = this
    this.tag('P', () => this.text.line(shop.name, page.left, y, name))
    this.tag('H1', () => {
      this.text.line(kind, page.right, y, right(title))
      this.text.line(number, page.right, y + 24, right(strong))
    })
    this.tag('P', () => {
      this.text.line(date, page.right, y + 39, right(body))
      this.y = y + 32
      for (const line of shop.lines) this.block(line, page.left, 300, body)
    })
    this.y = Math.max(this.y + 28, y + 88)
  }

  /** Draws the status of the document, for example 'Paid', with a slanted stripe beside the text. */
  stamp(stamp: Stamp): void {
    this.tag('P', () => drawStamp(this.pdf, this.text, stamp, this.y))
    this.y += 36
  }

  /** Draws the recipient on the left, if the document names one, and the due or expiry date on the right. */
  parties(party: Party, until: Party | undefined): void {
    const top = this.y
    if (party.lines.length > 0) this.tag('P', () => this.party(party))
    if (until) {
      this.tag('P', () => {
        this.text.line(until.label, page.right, top, right(label))
        for (const [index, line] of until.lines.entries()) {
          this.text.line(line, page.right, top + 15 * (index + 1), right(strong))
        }
      })
    }
    this.y = Math.max(this.y, top + 30) + 22
  }

  /** Draws a table of invoice or estimate lines; the column headings repeat on every page. */
  table(lines: readonly LineText[]): void {
    const table = this.pdf.struct('Table')
    this.root.add(table)
    this.tableHead(table)
    for (const line of lines) this.tableRow(table, line)
    table.end()
    this.y += 12
  }

  /** Draws a job: its title, its need and decision (such as 'Required, approved'), description, lines and price. */
  job({ title, states, customerDescription, terms, lines, total }: JobText): void {
    const name: TextStyle = { face: 'heading', size: 12, color: ink }
    const text = this.text.wrap(title, column.unit - page.left - 40, name)
    // Starts a new page if the title and the first lines of the job do not fit on this page.
    this.keepTogether(text.length * lineHeight(name) + 90)
    this.tag('H2', () => {
      this.text.line(total, page.right, this.y, right(name))
      for (const line of text) {
        this.text.line(line, page.left, this.y, name)
        this.y += lineHeight(name)
      }
    })
    this.paragraph(states, label)
    if (customerDescription !== '') this.paragraph(customerDescription, body)
    for (const term of terms) this.paragraph(term, body)
    this.y += 6
    this.table(lines)
    this.y += 8
  }

  /** Draws the labeled amounts above the total, such as the tax. */
  figures(figures: readonly LabeledAmount[]): void {
    for (const { label: text, amount } of figures) {
      this.keepTogether(17)
      this.tag('P', () => {
        this.text.line(text, page.left, this.y, body)
        this.text.line(amount, page.right, this.y, right(body))
      })
      this.y += 17
    }
  }

  /** Draws the total in bold. */
  total({ label: text, amount }: LabeledAmount): void {
    this.keepTogether(60)
    this.tag('P', () => {
      const large: TextStyle = { face: 'heading', size: 20, color: ink, align: 'right' }
      this.text.line(text, page.left, this.y + 7, strong)
      this.text.line(amount, page.right, this.y, large)
    })
    this.y += 32
    this.rule(ink, 1.5)
    this.y += 16
  }

  /** Draws a box with a QR code and its instructions. */
  codeBox(box: CodeBox): void {
    this.keepTogether(codeBoxHeight)
    const { pdf, text, y: top } = this
    this.artifact(() => drawFrame(pdf, top))
    this.tag('Figure', () => drawCode(pdf, box.modules, top), { alt: box.alternative })
    this.tag('P', () => drawCodeText(text, box, top))
    this.y = top + codeBoxHeight + 20
  }

  /** Draws text across the width of the page; long text continues on the next page. */
  paragraph(text: string, style: TextStyle = label): void {
    const lines = text === '' ? [] : this.text.wrap(text, page.right - page.left, style)
    for (const line of lines) {
      this.keepTogether(lineHeight(style))
      this.tag('P', () => this.text.line(line, page.left, this.y, style))
      this.y += lineHeight(style)
    }
  }

  /** Draws a title and the paragraphs below it; draws nothing if there are no paragraphs. */
  section(title: string, paragraphs: readonly string[]): void {
    const some = paragraphs.filter((text) => text !== '')
    if (some.length === 0) return
    this.keepTogether(40)
    this.y += 10
    this.tag('H2', () => this.text.line(title, page.left, this.y, strong))
    this.y += 17
    for (const text of some) {
      this.paragraph(text, body)
      this.y += 4
    }
  }

  space(points: number): void {
    this.y += points
  }

  /** Draws the page numbers once the number of pages is known, and ends the document. */
  finish(footer: string): void {
    this.root.end()
    const { start, count } = this.pdf.bufferedPageRange()
    for (let index = 0; index < count; index += 1) {
      this.pdf.switchToPage(start + index)
      this.artifact(() => {
        this.text.line(footer, page.left, 748, label)
        this.text.line(`Page ${index + 1} of ${count}`, page.right, 748, right(label))
      })
    }
    this.pdf.end()
  }

  private party({ label: text, lines }: Party): void {
    this.text.line(text, page.left, this.y, label)
    this.y += 15
    for (const [index, line] of lines.entries()) {
      this.block(line, page.left, 300, index === 0 ? strong : body)
    }
  }

  private tableHead(table: Structure): void {
    const row = this.pdf.struct('TR')
    table.add(row)
    for (const [text, x, align] of tableHeads) {
      const cell = this.pdf.struct('TH', { scope: 'Column' } as object)
      row.add(cell)
      this.content(cell, 'TH', () => this.text.line(text, x, this.y, { ...label, align }))
    }
    row.end()
    this.y += 15
    this.rule(ink, 1.5)
    this.y += 9
  }

  private tableRow(table: Structure, line: LineText): void {
    const text = this.text.wrap(line.description, column.description, body)
    const height = text.length * lineHeight(body)
    if (this.y + height > page.bottom) {
      this.nextPage()
      this.tableHead(table)
    }
    const top = this.y
    const row = this.pdf.struct('TR')
    table.add(row)
    this.cell(row, () => {
      text.forEach((part, index) => {
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

  /** Draws one element of the PDF structure tree, which screen readers use; the element must fit on one page. */
  private tag(type: string, draw: () => void, options: { alt?: string } = {}): void {
    const element = this.pdf.struct(type, options)
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

  /** Draws a decorative element, which screen readers skip. */
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
