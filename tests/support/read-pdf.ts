import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

type StructNode = { role?: string; children?: StructNode[] }

/** Reads a PDF like a screen reader: its words and its structure, page by page. */
export async function readPdf(pdf: Buffer) {
  const opened = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages: { text: string; roles: string[]; right: number }[] = []
  for (let index = 1; index <= opened.numPages; index += 1) {
    const page = await opened.getPage(index)
    const { items } = await page.getTextContent()
    const words = items.flatMap((item) => ('str' in item ? [item] : []))
    pages.push({
      text: words.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join(''),
      roles: rolesIn((await page.getStructTree()) as StructNode),
      right: Math.max(...words.map((item) => Number(item.transform[4]) + item.width)),
    })
  }
  const { info } = await opened.getMetadata()
  const language = (await opened.getMetadata()).info as { Language?: string; Title?: string }
  const isTagged = (await opened.getMarkInfo())?.Marked
  await opened.destroy()
  return { pages, info, language, isTagged, text: pages.map(({ text }) => text).join('\n') }
}

function rolesIn(node: StructNode | null): string[] {
  if (!node) return []
  return [...(node.role ? [node.role] : []), ...(node.children ?? []).flatMap(rolesIn)]
}
