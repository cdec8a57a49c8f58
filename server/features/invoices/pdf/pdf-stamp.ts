import type PdfKit from 'pdfkit'
import type { Stamp } from '../document/line-text.ts'
import { ink, muted, page, signal } from './pdf-styles.ts'
import type { PdfText } from './pdf-text.ts'

/** Draws the status of a document with a slanted stripe beside the text. */
export function drawStamp(
  pdf: InstanceType<typeof PdfKit>,
  text: PdfText,
  { text: status, isPaid }: Stamp,
  y: number,
): void {
  pdf.save().fillColor(signal)
  pdf.polygon(
    [page.left, y + 18],
    [page.left + 6, y - 3],
    [page.left + 14, y - 3],
    [page.left + 8, y + 18],
  )
  pdf.fill().restore()
  const color = isPaid ? ink : muted
  text.line(status, page.left + 22, y, { face: 'heading', size: 13, color })
}
