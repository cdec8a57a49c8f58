/** A line of text without its license plate, and the plate; null when the line contains no plate. */
export type SplitPlate = { readonly plate: string | null; readonly rest: string }

/**
 * Groups of three letters that precede the number of a model or a year. A word that begins with one of these groups is
 * not a license plate.
 */
const vehicleWords = new Set(
  `AMG BMW BRZ BUG BUS CAB CAR CHR CLA CLE CLK CLS CRV CRX CTS ATS DTS STS EQB EQE EQS FIT FRS GEO GLA GLB GLC GLE GLK
   GLS GMC GTI GTO GTR GTS GTX HHR HRV KIA LTD LTZ MDX MKC MKS MKT MKX MKZ MPV RAM RDX RIO SEL SLC SLE SLK SLR SLS SLT
   SRT SRX SSR STX SUV SXT TDI TLX ILX TSI TSX TTS VAN WRX XLE XLR XLT AWD FWD RWD`
    .trim()
    .split(/\s+/),
)

/** Groups of three letters at the end of models that begin with three digits: 560SEL, 308GTB. */
const modelEndings = new Set('CDI GTB GTI GTS SDL SEC SEL SLC TDI'.split(' '))

/** Formats of license plates that no vehicle model has. */
const plateFormats = [
  // At least three digits, one of them first and one last: 8ABC123, 662E41, 12345A1. Models that begin with a digit do
  // not end with a digit (2500HD).
  /^(?=(?:.*\d){3})(?=.*[A-Z])\d[A-Z\d]{4,5}\d$/,
  // One or two letters, then five or six digits: A12345, AB12345.
  /^[A-Z]{1,2}\d{5,6}$/,
  // At least three changes between letters and digits (2FAST4U, AB1C234), without an engine designation at the end
  // (F150V8).
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

/**
 * Joins the two words of a license plate: California's format 8ABC 123 anywhere in the line, ABC 1234 only at its end.
 */
function joinTwoWords(line: string): string {
  const joined = line.replace(/\b(\d[A-Z]{3}) (\d{3})\b/i, '$1$2')
  // Three capital letters before a number are a plate, unless the letters are a known part of a vehicle's name. Only
  // capitals count, because staff do not type names such as 'Kia' or 'Rio' in capitals.
  return joined.replace(/(^|\s)([A-Z]{3}) (\d{3,4})$/, (words, before, letters, digits) =>
    vehicleWords.has(letters) ? words : `${before}${letters}${digits}`,
  )
}

/**
 * Separates the license plate from the description of a vehicle. Directly after the word 'plate', any word that has a
 * digit or is in capitals is a plate. Elsewhere only a word in a format that no vehicle model has is a plate, so that
 * no model is mistaken for a plate (docs/product.md 12.15).
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
