import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PdfKit from 'pdfkit'
import { cityAndState, type ShopFacts } from '#domain/shop/shop.ts'
import { type FontFace, outlinesOf, PdfText } from '#server/features/invoices/pdf/pdf-text.ts'
import { coverageOf } from './fill-outlines.ts'
import { decodePng, encodePng, type Picture } from './png.ts'

/** The Open Graph picture that messengers and social networks show with a link to the site (https://ogp.me). */
export type SocialPicture = { readonly bytes: Buffer; readonly etag: string }

/** The shop details that the picture shows. */
type Shown = Pick<ShopFacts, 'name' | 'tagline' | 'address'>

type Line = { readonly text: string; readonly face: FontFace; readonly size: number }

/** The position and width of the text column in pixels; the drawing is to the right of the column. */
const column = { left: 72, width: 572 }
const mostNameHeight = 350
const nameSizes = [104, 96, 88, 80, 72, 64, 56, 48, 40, 32]
const taglineStyle = { face: 'bold', size: 32 } as const
const townStyle = { face: 'regular', size: 32 } as const
/** The height of a line as a multiple of the font size. */
const lineHeight = 1.14
const gap = 28
/** The distance from the top of a line to its baseline as a multiple of the font size. */
const ascent = 0.84
/** The text color: --tt-ink in web/styles/tokens.css. */
const ink = [0x0b, 0x24, 0x33] as const

/** Draws the shop's name, tagline and city over the background picture, which scripts/draw-images.ts creates. */
export function drawSocialPicture(shop: Shown): SocialPicture {
  const ground = decodePng(readFileSync(join(import.meta.dirname, 'social-ground.png')))
  const name = linesOfName(shop.name)
  const rest = [...wrap(shop.tagline, taglineStyle), ...wrap(cityAndState(shop), townStyle)]
  const height = heightOf(name) + gap + heightOf(rest)
  let top = (ground.height - height) / 2
  for (const [nth, line] of [...name, ...rest].entries()) {
    if (nth === name.length) top += gap
    drawLine(ground, line, top + ascent * line.size)
    top += line.size * lineHeight
  }
  const bytes = encodePng(ground)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

const heightOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { size }) => sum + size * lineHeight, 0)

/**
 * Breaks the shop name into lines of the largest font size that fits. The longest permitted name (60 characters) fits
 * in the smallest size.
 */
function linesOfName(name: string): Line[] {
  const attempts = nameSizes.map((size) => wrap(name, { face: 'heading', size }))
  const isFitting = (lines: readonly Line[]) =>
    heightOf(lines) <= mostNameHeight && hasWholeWords(lines, name)
  return attempts.find(isFitting) ?? attempts.at(-1) ?? []
}

/**
 * Whether the lines contain only whole words of the name. Text in another script than Latin always counts as whole
 * words, because Chinese and Japanese lines may break inside a word.
 */
const hasWholeWords = (lines: readonly Line[], name: string) => {
  const words = new Set(name.split(/\s+/))
  const parts = lines.flatMap(({ text }) => text.split(/\s+/))
  return parts.every((part) => words.has(part) || /[^\p{Script=Latin}\p{N}\p{P}\p{S}]/u.test(part))
}

const measure = new PdfText(new PdfKit())

const wrap = (text: string, { face, size }: Omit<Line, 'text'>): Line[] =>
  measure
    .wrap(text, column.width, { face, size, color: '' })
    .filter((line) => line !== '')
    .map((line) => ({ text: line, face, size }))

function drawLine({ width, rgb }: Picture, { text, face, size }: Line, baseline: number) {
  // Only the pixel rows that the text line can cover are drawn, including accents and descenders.
  const top = Math.round(baseline - 1.5 * size)
  const place = { left: column.left, baseline: baseline - top, width, height: 2 * size }
  const coverage = coverageOf(outlinesOf(text, face, size), place)
  const start = top * width
  for (let pixel = 0; pixel < coverage.length; pixel += 1) {
    const covered = coverage[pixel] ?? 0
    if (covered > 0) blend(rgb, (start + pixel) * ink.length, covered)
  }
}

function blend(rgb: Uint8Array, at: number, covered: number): void {
  for (const [channel, value] of ink.entries()) {
    rgb[at + channel] = Math.round((rgb[at + channel] ?? 0) * (1 - covered) + value * covered)
  }
}
