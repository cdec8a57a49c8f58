import type PdfKit from 'pdfkit'
import { body, ink, label, page, strong } from './pdf-styles.ts'
import type { PdfText, TextStyle } from './pdf-text.ts'

type Pdf = InstanceType<typeof PdfKit>

/** A box with a QR code and the text beside it. */
export type CodeBox = {
  /** The rows of the QR code; true means a dark module. */
  readonly modules: readonly (readonly boolean[])[]
  /** The text alternative of the QR code for screen readers. */
  readonly alternative: string
  readonly title: string
  /** The instruction to scan the QR code, and the short URL that can be typed instead. */
  readonly text: string
  readonly address: string
  readonly hint: string
}

/** The height of the box with the QR code, in points. */
export const codeBoxHeight = 131
/** The side length of the QR code: 99 points are 35 mm, which a phone can scan from a distance of half a meter. */
const codeSize = 99
/** The horizontal position in points at which the text beside the QR code begins. */
const textLeft = page.left + codeSize + 44

/** Draws the frame of a box whose upper edge is at `top`. */
export function drawFrame(pdf: Pdf, top: number): void {
  pdf.roundedRect(page.left, top, page.right - page.left, codeBoxHeight, 6)
  pdf.lineWidth(1.5).strokeColor(ink).stroke()
}

/** Draws the QR code as a single path, because separately filled modules would have hairlines between each other. */
export function drawCode(pdf: Pdf, modules: CodeBox['modules'], top: number): void {
  const side = codeSize / modules.length
  for (const [row, cells] of modules.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (!isDark) continue
      pdf.rect(page.left + 20 + column * side, top + 16 + row * side, side, side)
    }
  }
  pdf.fill('#000')
}

/** Draws the instruction and the short URL beside the QR code. */
export function drawCodeText(text: PdfText, box: CodeBox, top: number): void {
  const title: TextStyle = { face: 'heading', size: 14, color: ink }
  text.line(box.title, textLeft, top + 30, title)
  text.line(box.text, textLeft, top + 54, body)
  text.line(box.address, textLeft, top + 70, strong)
  text.line(box.hint, textLeft, top + 90, label)
}
