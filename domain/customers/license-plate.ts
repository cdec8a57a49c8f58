/** A line of text without its license plate, and the plate; null when the line has none. */
export type SplitPlate = { readonly plate: string | null; readonly rest: string }

/** Three letters that stand before the number of a model or before a year, so that they begin no plate. */
const vehicleWords = new Set(
  `AMG BMW BRZ BUG BUS CAB CAR CHR CLA CLE CLK CLS CRV CRX CTS ATS DTS STS EQB EQE EQS FIT FRS GEO GLA GLB GLC GLE GLK
   GLS GMC GTI GTO GTR GTS GTX HHR HRV KIA LTD LTZ MDX MKC MKS MKT MKX MKZ MPV RAM RDX RIO SEL SLC SLE SLK SLR SLS SLT
   SRT SRX SSR STX SUV SXT TDI TLX ILX TSI TSX TTS VAN WRX XLE XLR XLT AWD FWD RWD`
    .trim()
    .split(/\s+/),
)

/** Three letters that end a model which begins with three digits: 560SEL, 308GTB. */
const modelEndings = new Set('CDI GTB GTI GTS SDL SEC SEL SLC TDI'.split(' '))

/** Formats of license plates that no model has. */
const plateFormats = [
  // Three digits or more, of which one is first and one last: 8ABC123, 662E41, 12345A1. Models that begin with a digit
  // do not end with one (2500HD).
  /^(?=(?:.*\d){3})(?=.*[A-Z])\d[A-Z\d]{4,5}\d$/,
  // Five digits after one or two letters: A12345, AB12345.
  /^[A-Z]{1,2}\d{5,6}$/,
  // Letters and digits that change three times or more (2FAST4U, AB1C234), and do not end with an engine (F150V8).
  /^(?=.{6,8}$)(?!.*[IRSTV]\d{1,2}$)(?:[A-Z]{2,}\d+[A-Z]+\d+[A-Z\d]*|\d+[A-Z]+\d+[A-Z]+\d*)$/,
]

function isPlate(word: string): boolean {
  const plain = word.toUpperCase().replace('-', '')
  const [, letters] = /^([A-Z]{3})\d{3,4}$/.exec(plain) ?? []
  if (letters !== undefined) return !vehicleWords.has(letters)
  const [, ending] = /^\d{3,4}([A-Z]{3})$/.exec(plain) ?? []
  if (ending !== undefined) return !modelEndings.has(ending)
  return plateFormats.some((format) => format.test(plain))
}

/** Joins a plate that is typed in two words: California's 8ABC 123 anywhere, ABC 1234 at the end of the line. */
function joinTwoWords(line: string): string {
  const joined = line.replace(/\b(\d[A-Z]{3}) (\d{3})\b/i, '$1$2')
  // A name of three letters before a number (Kia Rio 500) is not written in capitals, unless it is known.
  return joined.replace(/(^|\s)([A-Z]{3}) (\d{3,4})$/, (words, before, letters, digits) =>
    vehicleWords.has(letters) ? words : `${before}${letters}${digits}`,
  )
}

/**
 * Splits the license plate off the description of a vehicle. After the word 'plate' it is a word in any format with a
 * digit or in capitals; elsewhere only a word in a format that no model has, because a model must not be lost
 * (docs/product.md 12.15).
 */
export function splitPlate(line: string): SplitPlate {
  const joined = joinTwoWords(line)
  const named =
    /\b(?:[Ll]icense )?[Pp]late:? +((?=[A-Za-z\d-]*\d)[A-Za-z\d-]{2,8}|[A-Z]{2,8})(?= |$)/.exec(
      joined,
    )
  const plate = named?.[1] ?? joined.split(' ').find(isPlate)
  if (plate === undefined) return { plate: null, rest: line }
  const rest = joined
    .replace(named?.[0] ?? plate, ' ')
    .trim()
    .replace(/ +/g, ' ')
  return { plate: plate.toUpperCase(), rest }
}
