// Builds the fonts of printed invoices. The fonts are committed, so run this script only to change them.
//
// The source fonts have the license SIL OFL 1.1 (see OFL.txt beside the built fonts). The npm packages of the fonts are
// @fontsource-variable/archivo (a dev dependency), @expo-google-fonts/noto-sans (unpack it into <noto>/ns) and
// @expo-google-fonts/noto-sans-sc (unpack it into <noto>/sc).
//
// Run: node scripts/build-invoice-fonts.mjs <noto> server/features/invoices/pdf/fonts
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import subsetFont from 'subset-font'

const [noto, out] = process.argv.slice(2)

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')

// The characters of European languages: Latin with all accents, Greek and Cyrillic, punctuation (including the no-break
// hyphen of "5W‑30"), super- and subscripts, currency symbols and letterlike symbols.
const european = [
  range(0x20, 0x7e),
  range(0xa0, 0x24f),
  range(0x250, 0x36f),
  range(0x370, 0x52f),
  range(0x1e00, 0x1fff),
  range(0x2000, 0x206f),
  range(0x2070, 0x209f),
  range(0x20a0, 0x20c0),
  range(0x2100, 0x214f),
  range(0x2150, 0x218b),
  '←↑→↓−×÷≈≠≤≥∞□\ufffd',
].join('')

/**
 * Returns the characters in the given rows of a national character set with two bytes per character, such as GB 2312. A
 * national character set contains the characters of people's names in its country.
 */
function charactersOf(encoding, firstRow, lastRow) {
  const decoder = new TextDecoder(encoding)
  const found = new Set()
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let cell = 0x40; cell <= 0xfe; cell += 1) {
      const text = decoder.decode(new Uint8Array([row, cell]))
      if (Array.from(text).length === 1 && text.codePointAt(0) > 0x2e7f && text !== '\ufffd')
        found.add(text)
    }
  }
  return [...found].join('')
}
// The common Chinese and Japanese characters: GB 2312 level 1, JIS X 0208 level 1 and kana.
const chinese = charactersOf('gbk', 0xb0, 0xd7)
const japanese = charactersOf('shift_jis', 0x81, 0x98)

async function build(name, source, text, options) {
  const font = await subsetFont(await readFile(source), text, options)
  await writeFile(join(out, name), font)
  console.log(name, font.length)
}

await build('invoice-regular.ttf', join(noto, 'ns/400Regular/NotoSans_400Regular.ttf'), european, {
  targetFormat: 'truetype',
})
await build('invoice-bold.ttf', join(noto, 'ns/600SemiBold/NotoSans_600SemiBold.ttf'), european, {
  targetFormat: 'truetype',
})
await build(
  'invoice-cjk.ttf',
  join(noto, 'sc/400Regular/NotoSansSC_400Regular.ttf'),
  chinese + japanese,
  { targetFormat: 'truetype' },
)
await build(
  'invoice-heading.ttf',
  'node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
  // The font of the invoice's heading includes the characters of Western European languages, because the heading
  // contains the shop's name.
  range(0x20, 0x7e) + range(0xa0, 0xff),
  { targetFormat: 'truetype', variationAxes: { wght: 750, wdth: 125 } },
)
