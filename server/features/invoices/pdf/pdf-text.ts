import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PdfKit from 'pdfkit'

type Pdf = InstanceType<typeof PdfKit>
export type FontFace = 'regular' | 'bold' | 'heading'
type FontName = FontFace | 'cjk'

/** Consecutive characters that are printed in the same font. */
type Run = { readonly text: string; readonly font: FontName }

const files: Record<FontName, string> = {
  regular: 'invoice-regular.ttf',
  bold: 'invoice-bold.ttf',
  heading: 'invoice-heading.ttf',
  cjk: 'invoice-cjk.ttf',
}

/**
 * An opened font object, which pdfkit accepts in place of a font file. pdfkit does not publish the type of such
 * objects.
 */
type OpenFont = {
  readonly unitsPerEm: number
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string): {
    readonly glyphs: readonly { readonly path: { readonly commands: readonly OutlineCommand[] } }[]
    readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number }[]
  }
}

/** One path command of a glyph's outline, in font units; y increases upwards. */
type OutlineCommand = {
  readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
  readonly args: readonly number[]
}

/** The outline of a glyph, and the glyph's position in a line of text. */
export type PlacedOutline = {
  readonly x: number
  readonly scale: number
  readonly commands: readonly OutlineCommand[]
}

/** Returns the glyph outlines of one line of text, from left to right. */
export function outlinesOf(text: string, face: FontFace, size: number): PlacedOutline[] {
  let left = 0
  return runsOf(tidy(text), face).flatMap((run) => {
    const font = openFont(run.font)
    const scale = size / font.unitsPerEm
    const { glyphs, positions } = font.layout(run.text)
    return glyphs.map(({ path }, nth) => {
      const { xAdvance = 0, xOffset = 0 } = positions[nth] ?? {}
      const x = left + xOffset * scale
      left += xAdvance * scale
      return { x, scale, commands: path.commands }
    })
  })
}
const opened = new Map<FontName, OpenFont>()
const coverage: Record<FontName, Map<string, boolean>> = {
  regular: new Map(),
  bold: new Map(),
  heading: new Map(),
  cjk: new Map(),
}

/** The replacement for a character that no font contains, so that readers notice the missing character. */
const missing = '\ufffd'

/** Characters at which a line may break without a space: Chinese, Japanese and Korean ones. */
const breakable = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u

export type TextStyle = {
  readonly face: FontFace
  readonly size: number
  readonly color: string
  readonly align?: 'left' | 'right'
}

/**
 * Draws text in any writing system on a PDF page. Each character uses the first font that contains the character. Lines
 * break at spaces, between Chinese characters, and inside a word that is wider than its column. pdfkit itself breaks
 * lines in one font only, and its standard fonts contain only Latin-1 characters.
 */
export class PdfText {
  private readonly pdf: Pdf
  private readonly registered = new Set<FontName>()

  constructor(pdf: Pdf) {
    this.pdf = pdf
  }

  /** Splits `text` into lines that are at most `width` points wide. Keeps the line breaks in `text`. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    return text.split(/\r\n|[\r\n\u2028\u2029]/).flatMap((paragraph) => {
      return this.wrapParagraph(tidy(paragraph), width, style)
    })
  }

  /** Draws one line of text. With `align: 'right'`, `x` is the right end of the line. */
  line(text: string, x: number, y: number, style: TextStyle): void {
    const clean = tidy(text)
    let left = style.align === 'right' ? x - this.widthOf(clean, style) : x
    for (const run of runsOf(clean, style.face)) {
      const width = this.widthOfRun(run, style.size)
      this.pdf.fillColor(style.color).text(run.text, left, y, { lineBreak: false })
      left += width
    }
  }

  widthOf(text: string, style: TextStyle): number {
    return runsOf(text, style.face).reduce((sum, run) => sum + this.widthOfRun(run, style.size), 0)
  }

  private wrapParagraph(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = []
    let current = ''
    for (const piece of this.pieces(text, width, style)) {
      const longer = current + piece
      if (current !== '' && this.widthOf(longer.trimEnd(), style) > width) {
        lines.push(current.trimEnd())
        current = piece.trimStart()
      } else {
        current = longer
      }
    }
    return [...lines, current.trimEnd()]
  }

  /**
   * Splits text at the places where a line may break, into words with the following space, and single Chinese, Japanese
   * or Korean characters.
   */
  private pieces(text: string, width: number, style: TextStyle): string[] {
    const pieces: string[] = []
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
      if (!breakable.test(word) && this.widthOf(word.trimEnd(), style) <= width) pieces.push(word)
      else pieces.push(...splitWord(word))
    }
    return pieces
  }

  private widthOfRun(run: Run, size: number): number {
    this.use(run.font)
    return this.pdf.fontSize(size).widthOfString(run.text)
  }

  private use(font: FontName): void {
    if (!this.registered.has(font)) {
      this.pdf.registerFont(font, openFont(font) as unknown as Buffer)
      this.registered.add(font)
    }
    this.pdf.font(font)
  }
}

function runsOf(text: string, face: FontFace): Run[] {
  const runs: { text: string; font: FontName }[] = []
  for (const character of text) {
    const font = fontFor(character, face)
    const shown = font === undefined ? missing : character
    const last = runs.at(-1)
    const wanted = font ?? 'regular'
    if (last?.font === wanted) last.text += shown
    else runs.push({ text: shown, font: wanted })
  }
  return runs
}

function fontFor(character: string, face: FontFace): FontName | undefined {
  const candidates: FontName[] = face === 'heading' ? ['heading', 'bold'] : [face]
  // The large CJK font is loaded only for text that may contain CJK characters.
  if (breakable.test(character) || /\p{Script=Han}/u.test(character)) candidates.push('cjk')
  return candidates.find((font) => has(font, character))
}

function has(font: FontName, character: string): boolean {
  const cached = coverage[font].get(character)
  if (cached !== undefined) return cached
  const found = openFont(font).hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  coverage[font].set(character, found)
  return found
}

/** Opens each font once for all documents, because opening a font takes longer than rendering a page. */
function openFont(font: FontName): OpenFont {
  const cached = opened.get(font)
  if (cached) return cached
  const scratch = new PdfKit()
  scratch.font(readFileSync(join(import.meta.dirname, 'fonts', files[font])))
  const { font: open } = (scratch as unknown as { _font: { font: OpenFont } })._font
  opened.set(font, open)
  return open
}

/**
 * Removes control characters and direction marks, with which a name that a visitor typed could reorder the printed
 * text.
 */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
}

function splitWord(word: string): string[] {
  return word.match(/\s+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\uffef]\s*|./gsu) ?? []
}
